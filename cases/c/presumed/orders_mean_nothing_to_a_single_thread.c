//@ verdict: holds
#include <assert.h>
#include <stdatomic.h>

/* A thread reads what it has written, whatever the order. */
atomic_int left, right;

int main(void) {
    atomic_store_explicit(&left, 1, memory_order_relaxed);
    atomic_store_explicit(&right, 2, memory_order_release);
    atomic_thread_fence(memory_order_acquire);
    assert(atomic_load_explicit(&left, memory_order_relaxed) == 1);
    assert(atomic_load_explicit(&right, memory_order_relaxed) == 2);
    return 0;
}
