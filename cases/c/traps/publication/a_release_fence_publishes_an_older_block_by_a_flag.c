//@ verdict: holds presuming sequential-consistency
// The block was allocated before the thread started; the fence orders its content before
// the flag (C11 7.17.4p2).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int *block;
atomic_int is_ready;

void *publish(void *unused) {
    *block = 5;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&is_ready, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one;
    block = malloc(sizeof *block);
    pthread_create(&one, NULL, publish, NULL);
    if (atomic_load_explicit(&is_ready, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(*block == 5);
    }
    pthread_join(one, NULL);
    free(block);
    return 0;
}
