//@ verdict: holds presuming sequential-consistency
// A read-modify-write by any thread belongs to the release sequence (C11 5.1.2.4p10), so
// who reads 2 synchronises with the first thread.
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

void *count(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
        atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, tell, NULL);
    pthread_create(&two, NULL, count, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        assert(message == 1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
