//@ verdict: holds presuming sequential-consistency
// Synchronisation is transitive: publisher before middleman before reader (C11 5.1.2.4p16
// and p18).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) inbox, outbox;

void *publish(void *unused) {
    int *fresh = malloc(sizeof *fresh);
    *fresh = 5;
    atomic_store_explicit(&inbox, fresh, memory_order_release);
    return NULL;
}

void *pass_on(void *unused) {
    int *seen = atomic_load_explicit(&inbox, memory_order_acquire);
    if (seen)
        atomic_store_explicit(&outbox, seen, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, publish, NULL);
    pthread_create(&two, NULL, pass_on, NULL);
    int *seen = atomic_load_explicit(&outbox, memory_order_acquire);
    if (seen)
        assert(*seen == 5);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(inbox);
    return 0;
}
