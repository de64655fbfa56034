//@ verdict: violated
// Without release and acquire nothing orders the write of `message` before its read:
// C11 5.1.2.4 calls that a data race, and processors may show the old value.
#include <pthread.h>
#include <stdatomic.h>

int message;
atomic_int is_sent;

void *send(void *unused) {
    message = 42;
    atomic_store_explicit(&is_sent, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, send, NULL);
    while (!atomic_load_explicit(&is_sent, memory_order_relaxed))
        ;
    int seen = message;
    pthread_join(t, NULL);
    return seen;
}
