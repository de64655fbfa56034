//@ verdict: violated "data race"
// The middleman acquires, but its own store is relaxed and synchronises with nobody (C11
// 7.17.3p2).
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
        atomic_store_explicit(&outbox, seen, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, publish, NULL);
    pthread_create(&two, NULL, pass_on, NULL);
    int *seen = atomic_load_explicit(&outbox, memory_order_acquire);
    int value = seen ? *seen : 0;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(inbox);
    return value;
}
