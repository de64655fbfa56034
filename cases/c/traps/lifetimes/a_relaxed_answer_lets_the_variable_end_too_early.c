//@ verdict: violated
// The answer is relaxed, so the read does not happen before the end of the lifetime, and
// whatever uses that storage next conflicts with it (C11 6.2.4p2, 5.1.2.4p25).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) mailbox;
atomic_int is_read;

void *ask(void *unused) {
    int question = 5;
    atomic_store(&mailbox, &question);
    while (!atomic_load_explicit(&is_read, memory_order_relaxed))
        ;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, ask, NULL);
    int *seen;
    while (!(seen = atomic_load(&mailbox)))
        ;
    int value = *seen;
    atomic_store_explicit(&is_read, 1, memory_order_relaxed);
    pthread_join(one, NULL);
    assert(value == 5);
    return 0;
}
