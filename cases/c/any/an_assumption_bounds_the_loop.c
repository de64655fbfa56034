//@ args: --threads any
//@ verdict: holds
// Three threads would break it.
// May be unknown: the bound of the loop matters.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

extern void __VERIFIER_assume(int);
atomic_int n_started;

void *work(void *unused) {
    int n_before = atomic_fetch_add(&n_started, 1);
    assert(n_before < 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    int n = N;
    __VERIFIER_assume(n <= 2);
    for (int i = 0; i < n; i++)
        pthread_create(&thread, 0, work, 0);
}
