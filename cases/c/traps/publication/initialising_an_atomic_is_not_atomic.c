//@ verdict: violated "data race"
// Access to the object while `atomic_init` initialises it is a data race, even by an
// atomic operation (C11 7.17.2.2p3); the relaxed pointer does not order them.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(atomic_int *) counter;

void *publish(void *unused) {
    atomic_int *fresh = malloc(sizeof *fresh);
    atomic_init(fresh, 0);
    atomic_store_explicit(&counter, fresh, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, publish, NULL);
    atomic_int *seen = atomic_load_explicit(&counter, memory_order_relaxed);
    if (seen)
        atomic_fetch_add(seen, 1);
    pthread_join(one, NULL);
    free(counter);
    return 0;
}
