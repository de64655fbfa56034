//@ verdict: violated "data race"
// Nobody writes the first member after `realloc`, but the copy itself is a write (C11
// 7.22.3.5p2), and a relaxed store does not order it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) block;
int *small;

void *publish(void *unused) {
    int *large = realloc(small, 4 * sizeof *large);
    atomic_store_explicit(&block, large, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one;
    small = malloc(sizeof *small);
    *small = 5;
    pthread_create(&one, NULL, publish, NULL);
    int *seen = atomic_load_explicit(&block, memory_order_relaxed);
    int value = seen ? *seen : 0;
    pthread_join(one, NULL);
    free(block);
    return value;
}
