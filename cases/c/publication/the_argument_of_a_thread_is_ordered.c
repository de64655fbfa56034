//@ args: --property no-data-race
//@ verdict: holds presuming sequential-consistency
//@ verdict with --reduction none: holds presuming sequential-consistency
//@ verdict with --reduction global: holds presuming sequential-consistency
//@ verdict with --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DLATE: violated "data race"
//@ verdict with -DLATE --reduction none: violated "data race"
//@ verdict with -DLATE --reduction global: violated "data race"
//@ verdict with -DLATE --reduction superstep: violated "data race"
// A new thread knows what was written before it was created, also what it learns of by a
// relaxed load later.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) head;

static void *receive(void *arg) {
    ++*(int *)arg;
    int *block = atomic_load_explicit(&head, memory_order_relaxed);
    if (block) ++*block;
    return arg;
}

static void *idle(void *arg) {
    return arg;
}

int main(void) {
    pthread_t first, second;
    int *argument = malloc(sizeof *argument), *block = malloc(sizeof *block);
    pthread_create(&first, NULL, idle, NULL);
    *argument = 1;
    *block = 1;
    pthread_create(&second, NULL, receive, argument);
#ifdef LATE
    *block = 2;
#endif
    atomic_store_explicit(&head, block, memory_order_relaxed);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
