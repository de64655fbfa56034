//@ verdict: holds presuming sequential-consistency
// A release store synchronises with an acquire fence that is sequenced after a load of
// its value (C11 7.17.4p4).
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

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, tell, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(message == 1);
    }
    pthread_join(one, NULL);
    return 0;
}
