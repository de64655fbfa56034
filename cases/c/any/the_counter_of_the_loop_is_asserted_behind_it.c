//@ args: --threads any
//@ verdict: holds
// May be unknown: the counter matters.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

void *work(void *unused) {
    return 0;
}

int main(void) {
    pthread_t thread;
    int i, n = N;
    for (i = 0; i < n; i++)
        pthread_create(&thread, 0, work, 0);
    assert(i >= n);
}
