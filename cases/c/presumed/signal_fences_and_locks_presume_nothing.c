//@ verdict: holds
//@ verdict with -DFENCE: holds presuming sequential-consistency
//@ verdict with -DCLEAR: holds presuming sequential-consistency
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* A fence towards signals orders nothing between threads, and locks are no weak atomics. */
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count, held;

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    atomic_signal_fence(memory_order_acq_rel);
#ifdef FENCE
    atomic_thread_fence(memory_order_acq_rel);
#endif
#ifdef CLEAR
    __sync_lock_release(&held);
#endif
    count++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(count == 2);
    return 0;
}
