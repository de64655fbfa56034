//@ verdict: holds presuming sequential-consistency
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* What waits in a thread's own buffer is what its loads get. */
atomic_int value;

static void *store_and_load(void *arg) {
    atomic_store_explicit(&value, 1, memory_order_relaxed);
    assert(atomic_load_explicit(&value, memory_order_relaxed) == 1);
    atomic_store_explicit(&value, 2, memory_order_relaxed);
    assert(atomic_load_explicit(&value, memory_order_relaxed) == 2);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, store_and_load, NULL);
    pthread_join(thread, NULL);
    return 0;
}
