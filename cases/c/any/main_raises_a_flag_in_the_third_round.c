//@ args: --threads any
//@ verdict: violated "!is_raised"
// The counter of the loop matters. Fails with 2 threads beside main (N = 3).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

atomic_bool is_raised;

void *work(void *unused) {
    assert(!is_raised);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++) {
        if (i == 2)
            is_raised = 1;
        pthread_create(&thread, 0, work, 0);
    }
}
