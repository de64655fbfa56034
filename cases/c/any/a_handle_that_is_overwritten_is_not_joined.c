//@ args: --threads any
//@ verdict: violated "data race"
// The last thread is joined alone. Fails with 2 threads beside main.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

atomic_int unrelated;
int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    shared = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    int n = N;
    for (int i = 0; i < n; i++)
        pthread_create(&thread, 0, work, 0);
    if (n > 0) {
        pthread_join(thread, 0);
        shared = 2;
    }
}
