//@ verdict: violated "race"
// `free` is no atomic operation and modifies the storage (C17 7.22.3p2), so it conflicts
// with an atomic access that nothing orders before it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int *counter;
atomic_int is_done;

void *count(void *unused) {
    atomic_fetch_add(counter, 1);
    atomic_store_explicit(&is_done, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one;
    counter = malloc(sizeof *counter);
    atomic_init(counter, 0);
    pthread_create(&one, NULL, count, NULL);
    while (!atomic_load_explicit(&is_done, memory_order_relaxed))
        ;
    free(counter);
    pthread_join(one, NULL);
    return 0;
}
