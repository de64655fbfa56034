//@ verdict: violated
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* The pointer may be seen before what it points to. */
_Atomic(int *) published;

static void *publish(void *arg) {
    int *fresh = malloc(sizeof *fresh);
    *fresh = 42;
    atomic_store_explicit(&published, fresh, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t publisher;
    pthread_create(&publisher, NULL, publish, NULL);
    int *seen = atomic_load_explicit(&published, memory_order_acquire);
    int value = seen ? *seen : 42;
    pthread_join(publisher, NULL);
    free(atomic_load(&published));
    return value != 42;
}
