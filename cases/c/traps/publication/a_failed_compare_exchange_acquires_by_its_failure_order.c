//@ verdict: violated "data race"
// If the comparison fails, the failure order applies (C11 7.17.7.4p2); it is relaxed
// here, and the content races.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) block;

void *publish(void *unused) {
    int *fresh = malloc(sizeof *fresh);
    *fresh = 5;
    atomic_store_explicit(&block, fresh, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, publish, NULL);
    int *seen = NULL;
    if (!atomic_compare_exchange_strong_explicit(&block, &seen, NULL, memory_order_acq_rel,
                                                 memory_order_relaxed))
        assert(*seen == 5);
    pthread_join(one, NULL);
    free(block);
    return 0;
}
