//@ verdict: holds presuming sequential-consistency
// The release after the access synchronises with the acquire before `free` (C11
// 5.1.2.4p18).
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int *counter;
atomic_int is_done;

void *count(void *unused) {
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
    atomic_store_explicit(&is_done, 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t one;
    counter = malloc(sizeof *counter);
    atomic_init(counter, 0);
    pthread_create(&one, NULL, count, NULL);
    while (!atomic_load_explicit(&is_done, memory_order_acquire))
        ;
    free(counter);
    pthread_join(one, NULL);
    return 0;
}
