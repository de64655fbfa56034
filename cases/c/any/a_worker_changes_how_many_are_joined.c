//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main: one takes back the number, the other one is not joined.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

atomic_int n_threads;
int shared;

void *work(void *unused) {
    shared = 1;
    return 0;
}

void *take_back(void *unused) {
    n_threads = 1;
    return 0;
}

int main(void) {
    pthread_t threads[2];
    n_threads = N;
    if (n_threads != 2)
        return 0;
    pthread_create(&threads[0], 0, take_back, 0);
    pthread_create(&threads[1], 0, work, 0);
    for (int i = 0; i < n_threads; i++)
        pthread_join(threads[i], 0);
    shared = 2;
}
