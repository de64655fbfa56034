//@ args: --threads any
//@ verdict: violated "x != 7"
// Fails with 0 threads beside main.
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
    int x = __VERIFIER_nondet_int();
    assert(x != 7);
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
}
