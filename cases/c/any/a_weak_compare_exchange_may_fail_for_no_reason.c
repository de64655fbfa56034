//@ args: --threads any
//@ verdict: violated "is_done"
// Fails with 1 thread beside main.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 64
#endif

atomic_bool is_taken;

void *work(void *unused) {
    _Bool expected = 0;
    _Bool is_done = atomic_compare_exchange_weak(&is_taken, &expected, 1);
    assert(is_done || expected);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, 0, work, 0);
}
