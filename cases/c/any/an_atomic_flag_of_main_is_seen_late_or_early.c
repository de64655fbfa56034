//@ args: --threads any
//@ verdict: violated "is_ready"
// Fails with 1 thread beside main.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

atomic_bool is_ready;

void *work(void *unused) {
    assert(is_ready);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
    is_ready = 1;
}
