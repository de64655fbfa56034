//@ verdict: holds presuming sequential-consistency
// Every atomic store after the fence carries it (C11 7.17.4p2), not only the first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int message;
atomic_int flags[2];

void *tell(void *unused) {
    message = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flags[0], 1, memory_order_relaxed);
    atomic_store_explicit(&flags[1], 1, memory_order_relaxed);
    return NULL;
}

void *listen(void *unused) {
    if (atomic_load_explicit(&flags[0], memory_order_acquire))
        assert(message == 1);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, tell, NULL);
    pthread_create(&two, NULL, listen, NULL);
    if (atomic_load_explicit(&flags[1], memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(message == 1);
    }
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
