//@ verdict: holds presuming sequential-consistency
// A compare-exchange that succeeds is a read-modify-write (C11 7.17.7.4p2) and belongs to
// the release sequence.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int message;
atomic_int flag;

void *tell(void *unused) {
    message = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return NULL;
}

void *replace(void *unused) {
    int expected = 1;
    atomic_compare_exchange_strong_explicit(&flag, &expected, 2, memory_order_relaxed,
                                            memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, tell, NULL);
    pthread_create(&two, NULL, replace, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        assert(message == 1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
