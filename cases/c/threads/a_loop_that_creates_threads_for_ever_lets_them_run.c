//@ args: --property unreach-call
//@ verdict: violated "assert"
//@ verdict with --reduction none: violated "assert"
//@ verdict with --reduction superstep: violated "assert"
// There is always one more thread to create. Two of them are enough to lose an increment.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int n_counted;

void *work(void *unused) {
    int seen = atomic_load(&n_counted);
    atomic_store(&n_counted, seen + 1);
    int counted = atomic_load(&n_counted);
    assert(counted > seen);
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
    }
}
