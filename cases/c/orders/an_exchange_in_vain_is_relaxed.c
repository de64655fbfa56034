//@ verdict: violated
#include <pthread.h>
#include <stdatomic.h>

/* The exchange sees the flag, fails, and is relaxed then. */
int message;
atomic_int flag;

static void *send(void *arg) {
    message = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return arg;
}

static void *receive(void *arg) {
    int expected = 0;
    if (!atomic_compare_exchange_strong_explicit(&flag, &expected, 7, memory_order_acq_rel,
                                                 memory_order_relaxed))
        message++;
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
