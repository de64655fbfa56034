//@ verdict: holds presuming sequential-consistency
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int message;
atomic_int is_sent;

void *send(void *unused) {
    message = 42;
    atomic_store_explicit(&is_sent, 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, send, NULL);
    while (!atomic_load_explicit(&is_sent, memory_order_acquire))
        ;
    assert(message == 42);
    pthread_join(t, NULL);
}
