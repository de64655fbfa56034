//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 1 thread beside main.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int setting;
atomic_bool is_ready;

void *work(void *unused) {
    if (atomic_load_explicit(&is_ready, memory_order_relaxed))
        return setting ? &setting : 0;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
    setting = 7;
    atomic_store_explicit(&is_ready, 1, memory_order_relaxed);
    pthread_exit(0);
}
