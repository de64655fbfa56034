//@ verdict: holds presuming sequential-consistency
#include <pthread.h>
#include <stdatomic.h>

/* Fences order what relaxed accesses do not. */
int message;
atomic_int flag;

static void *send(void *arg) {
    message = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

static void *receive(void *arg) {
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        message++;
    }
    return arg;
}

int main(void) {
    pthread_t sender, receiver;
    pthread_create(&sender, NULL, send, NULL);
    pthread_create(&receiver, NULL, receive, NULL);
    pthread_join(sender, NULL);
    pthread_join(receiver, NULL);
    return 0;
}
