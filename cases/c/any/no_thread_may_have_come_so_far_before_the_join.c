//@ args: --threads any
//@ verdict: violated "shared == 1"
// Fails with 0 threads beside main: the input may be zero, or less.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

atomic_int shared;

void *work(void *unused) {
    shared = 1;
    return 0;
}

int main(void) {
    pthread_t threads[64];
    int n = N;
    if (n > 64)
        return 0;
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], 0);
    assert(shared == 1);
}
