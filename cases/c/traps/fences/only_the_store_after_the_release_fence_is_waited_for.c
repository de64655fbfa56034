//@ verdict: holds presuming sequential-consistency
// Who reads 2 synchronises with the fence (C11 7.17.4p3).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int message;
atomic_int flag;

void *tell(void *unused) {
    message = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, tell, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        assert(message == 1);
    pthread_join(one, NULL);
    return 0;
}
