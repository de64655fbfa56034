//@ verdict: holds presuming sequential-consistency
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* The fence makes the store visible before the load. */
atomic_int left, right;
int left_saw, right_saw;

static void *go_left(void *arg) {
    atomic_store_explicit(&left, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    left_saw = atomic_load_explicit(&right, memory_order_relaxed);
    return arg;
}

static void *go_right(void *arg) {
    atomic_store_explicit(&right, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    right_saw = atomic_load_explicit(&left, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, go_left, NULL);
    pthread_create(&threads[1], NULL, go_right, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(left_saw || right_saw);
    return 0;
}
