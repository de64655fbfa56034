//@ verdict: holds presuming sequential-consistency
//@ verdict with -DLATE: violated "data race"
#include <pthread.h>
#include <stdatomic.h>

/* Whoever starts a thread tells it all, whatever atomics order; an older thread knows
   nothing of it. */
atomic_int counter;
int plain;

static void *count(void *is_young) {
    if (is_young)
        plain++;
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t old, young;
    pthread_create(&old, NULL, count, NULL);
#ifndef LATE
    plain = 1;
#endif
    pthread_create(&young, NULL, count, &counter);
#ifdef LATE
    plain = 1;
#endif
    pthread_join(old, NULL);
    pthread_join(young, NULL);
    return 0;
}
