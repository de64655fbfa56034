//@ verdict: holds presuming sequential-consistency
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* Whoever updates second has acquired what the other stored before its update, so an
   update flushes the buffer. */
atomic_int left, right, other;
int left_saw, right_saw;

static void *go_left(void *arg) {
    atomic_store_explicit(&left, 1, memory_order_release);
    atomic_fetch_add_explicit(&other, 1, memory_order_seq_cst);
    left_saw = atomic_load_explicit(&right, memory_order_acquire);
    return arg;
}

static void *go_right(void *arg) {
    atomic_store_explicit(&right, 1, memory_order_release);
    atomic_fetch_add_explicit(&other, 1, memory_order_seq_cst);
    right_saw = atomic_load_explicit(&left, memory_order_acquire);
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
