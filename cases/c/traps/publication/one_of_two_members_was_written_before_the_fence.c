//@ verdict: violated "data race"
// The fence orders the first member and not the second (C11 7.17.4p3), though both are in
// one block.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) block;

void *publish(void *unused) {
    int *fresh = malloc(2 * sizeof *fresh);
    fresh[0] = 5;
    atomic_thread_fence(memory_order_release);
    fresh[1] = 6;
    atomic_store_explicit(&block, fresh, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, publish, NULL);
    int *seen = atomic_load_explicit(&block, memory_order_acquire);
    if (seen)
        assert(seen[0] + seen[1] == 11);
    pthread_join(one, NULL);
    free(block);
    return 0;
}
