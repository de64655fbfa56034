//@ verdict: violated "data race"
//@ rule: data-race
// Found by the order of accesses, not by two threads that access it next.
#include <pthread.h>
#include <stdatomic.h>

int freed_assertion;
atomic_int lock_out_of_bounds;

void *overflow(void *unused) {
    freed_assertion = 42;
    atomic_store_explicit(&lock_out_of_bounds, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, overflow, NULL);
    while (!atomic_load_explicit(&lock_out_of_bounds, memory_order_relaxed))
        ;
    int seen = freed_assertion;
    pthread_join(thread, NULL);
    return seen;
}
