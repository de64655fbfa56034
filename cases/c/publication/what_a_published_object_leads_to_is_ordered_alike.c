//@ args: --property no-data-race
//@ verdict: holds presuming sequential-consistency
//@ verdict with --reduction none: holds presuming sequential-consistency
//@ verdict with --reduction global: holds presuming sequential-consistency
//@ verdict with --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DLATE: violated "data race"
//@ verdict with -DLATE --reduction none: violated "data race"
//@ verdict with -DLATE --reduction global: violated "data race"
//@ verdict with -DLATE --reduction superstep: violated "data race"
// The inner object becomes shared with the outer one, and was written before the fence, or
// after it (LATE).
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct outer {
    int *inner;
};

_Atomic(struct outer *) head;

static void *send(void *arg) {
    struct outer *outer = malloc(sizeof *outer);
    outer->inner = malloc(sizeof(int));
#ifndef LATE
    *outer->inner = 1;
#endif
    atomic_thread_fence(memory_order_release);
#ifdef LATE
    *outer->inner = 1;
#endif
    atomic_store_explicit(&head, outer, memory_order_relaxed);
    return arg;
}

static void *receive(void *arg) {
    struct outer *outer = atomic_load_explicit(&head, memory_order_acquire);
    if (outer) ++*outer->inner;
    return arg;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, send, NULL);
    pthread_create(&threads[1], NULL, receive, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
