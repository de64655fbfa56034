//@ args: --threads any
//@ verdict: violated "setting == mine"
// Fails with 2 threads beside main.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

atomic_int setting;

void *work(void *unused) {
    int mine = __VERIFIER_nondet_int();
    setting = mine;
    assert(setting == mine);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
}
