//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 1 thread beside main.
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    shared = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    int n = N;
    if (n < 1 || n > 100)
        return 0;
    pthread_t *threads = malloc(n * sizeof *threads);
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], 0, work, 0);
    n--;
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], 0);
    shared = 2;
}
