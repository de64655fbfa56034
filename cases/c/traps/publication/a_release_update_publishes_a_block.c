//@ verdict: holds presuming sequential-consistency
// An exchange with release order publishes like a store (C11 7.17.3p3); a failed compare-
// exchange that acquires receives it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) block;

void *publish(void *unused) {
    int *fresh = malloc(sizeof *fresh);
    *fresh = 5;
    atomic_exchange_explicit(&block, fresh, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, publish, NULL);
    int *seen = NULL;
    if (!atomic_compare_exchange_strong_explicit(&block, &seen, NULL, memory_order_acquire,
                                                 memory_order_acquire))
        assert(*seen == 5);
    pthread_join(one, NULL);
    free(block);
    return 0;
}
