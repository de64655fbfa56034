//@ verdict: violated "data race"
// The sequence is contiguous (C11 5.1.2.4p10): after the store of another thread, a
// relaxed store of the first one no longer belongs to it. The third store is relaxed, and
// tells nothing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int message;
atomic_int flag;

void *tell(void *unused) {
    message = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    while (atomic_load_explicit(&flag, memory_order_relaxed) != 2)
        ;
    atomic_store_explicit(&flag, 3, memory_order_relaxed);
    return NULL;
}

void *overwrite(void *unused) {
    while (atomic_load_explicit(&flag, memory_order_relaxed) != 1)
        ;
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, tell, NULL);
    pthread_create(&two, NULL, overwrite, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 3)
        assert(message == 1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
