//@ verdict: holds presuming sequential-consistency
// The content is written after the relaxed store of the pointer, but before the release
// of the flag that the reader acquires (C11 5.1.2.4p18).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) block;
atomic_int is_filled;

void *publish(void *unused) {
    int *fresh = malloc(sizeof *fresh);
    atomic_store_explicit(&block, fresh, memory_order_relaxed);
    *fresh = 5;
    atomic_store_explicit(&is_filled, 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, publish, NULL);
    if (atomic_load_explicit(&is_filled, memory_order_acquire))
        assert(*atomic_load_explicit(&block, memory_order_relaxed) == 5);
    pthread_join(one, NULL);
    free(block);
    return 0;
}
