//@ verdict: violated "data race"
// Only what is sequenced before the fence is ordered (C11 7.17.4p3); the zeros of
// `calloc` come later.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) block;

void *publish(void *unused) {
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&block, calloc(1, sizeof(int)), memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, publish, NULL);
    int *seen = atomic_load_explicit(&block, memory_order_acquire);
    int value = seen ? *seen : 0;
    pthread_join(one, NULL);
    free(block);
    return value;
}
