//@ args: --threads any
//@ verdict: violated "n_before < 2"
// The creation itself lies in no loop. Fails with 3 threads beside main.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

atomic_int n_started; /* three at most are counted */

void *work(void *unused) {
    int n_before = n_started;
    do {
        if (n_before == 3)
            return 0;
    } while (!atomic_compare_exchange_weak(&n_started, &n_before, n_before + 1));
    assert(n_before < 2);
    return 0;
}

void spawn(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
}

int main(void) {
    for (int i = 0, n = N; i < n; i++)
        spawn();
}
