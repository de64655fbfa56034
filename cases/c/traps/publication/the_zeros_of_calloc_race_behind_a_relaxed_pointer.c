//@ verdict: violated "data race"
// `calloc` writes the zeros (C11 7.22.3.2p2; such functions may visibly modify the
// storage that they allocate, C17 7.22.3p2), and nothing orders them before the read.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) block;

void *publish(void *unused) {
    atomic_store_explicit(&block, calloc(2, sizeof(int)), memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, publish, NULL);
    int *seen = atomic_load_explicit(&block, memory_order_relaxed);
    int value = seen ? seen[1] : 0;
    pthread_join(one, NULL);
    free(block);
    return value;
}
