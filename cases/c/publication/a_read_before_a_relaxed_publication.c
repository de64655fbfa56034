//@ args: --property no-data-race
//@ verdict: holds presuming sequential-consistency
//@ verdict with --reduction none: holds presuming sequential-consistency
//@ verdict with --reduction global: holds presuming sequential-consistency
//@ verdict with --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DLATE: violated "data race"
//@ verdict with -DLATE --reduction none: violated "data race"
//@ verdict with -DLATE --reduction global: violated "data race"
//@ verdict with -DLATE --reduction superstep: violated "data race"
// A read is an access, too: the write of the other thread must be ordered behind it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) head;
int seen;

static void *send(void *arg) {
    int *block = calloc(1, sizeof *block);
#ifndef LATE
    seen = *block;
#endif
    atomic_thread_fence(memory_order_release);
#ifdef LATE
    seen = *block;
#endif
    atomic_store_explicit(&head, block, memory_order_relaxed);
    return arg;
}

static void *receive(void *arg) {
    int *block = atomic_load_explicit(&head, memory_order_acquire);
    if (block) *block = 1;
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
