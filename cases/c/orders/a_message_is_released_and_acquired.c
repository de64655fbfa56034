//@ verdict: holds presuming sequential-consistency
#include <pthread.h>
#include <stdatomic.h>

/* Whoever sees the flag is ordered after the message. */
int message;
atomic_int flag;

static void *send(void *arg) {
    message = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return arg;
}

static void *receive(void *arg) {
    if (atomic_load_explicit(&flag, memory_order_acquire)) message++;
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
