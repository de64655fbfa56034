//@ verdict: holds presuming sequential-consistency
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* Whatever is seen late, the last store of a thread is what remains. */
atomic_int value;

static void *store_twice(void *arg) {
    atomic_store_explicit(&value, 1, memory_order_relaxed);
    atomic_store_explicit(&value, 2, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, store_twice, NULL);
    pthread_join(thread, NULL);
    assert(atomic_load_explicit(&value, memory_order_relaxed) == 2);
    return 0;
}
