//@ verdict: violated "data race"
// The publisher reads its block before the relaxed store; a write of the other thread is
// not ordered after that read (C11 5.1.2.4p25).
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) block;
int sum;

void *publish(void *unused) {
    int *fresh = calloc(1, sizeof *fresh);
    atomic_thread_fence(memory_order_release);
    sum = *fresh;
    atomic_store_explicit(&block, fresh, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, publish, NULL);
    int *seen = atomic_load_explicit(&block, memory_order_acquire);
    if (seen)
        *seen = 5;
    pthread_join(one, NULL);
    free(block);
    return 0;
}
