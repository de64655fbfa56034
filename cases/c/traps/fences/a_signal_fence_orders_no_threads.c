//@ verdict: violated "data race"
// `atomic_signal_fence` orders a thread and a signal handler in the same thread alone
// (C11 7.17.4.2p2).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int message;
atomic_int flag;

void *tell(void *unused) {
    message = 1;
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, tell, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        atomic_signal_fence(memory_order_seq_cst);
        assert(message == 1);
    }
    pthread_join(one, NULL);
    return 0;
}
