//@ verdict: holds presuming sequential-consistency
//@ verdict with --no-delays: holds presuming sequential-consistency
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* Stores wait in a buffer, and the oldest leaves it first. */
atomic_int message, flag;

static void *send(void *arg) {
    atomic_store_explicit(&message, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_release);
    return arg;
}

static void *receive(void *arg) {
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(atomic_load_explicit(&message, memory_order_relaxed) == 1);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, send, NULL);
    pthread_create(&threads[1], NULL, receive, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
