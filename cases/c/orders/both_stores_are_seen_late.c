//@ verdict: violated
//@ verdict with --no-delays: holds presuming sequential-consistency
//@ verdict with --memory-model sc: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* A processor may look before others see what it has stored. */
atomic_int left, right;
int left_saw, right_saw;

static void *go_left(void *arg) {
    atomic_store_explicit(&left, 1, memory_order_release);
    left_saw = atomic_load_explicit(&right, memory_order_acquire);
    return arg;
}

static void *go_right(void *arg) {
    atomic_store_explicit(&right, 1, memory_order_release);
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
