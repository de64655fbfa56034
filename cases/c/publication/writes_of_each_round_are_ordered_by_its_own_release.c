//@ args: --property no-data-race
//@ verdict: holds presuming sequential-consistency
//@ verdict with --reduction none: holds presuming sequential-consistency
//@ verdict with --reduction global: holds presuming sequential-consistency
//@ verdict with --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DLATE: violated "data race"
//@ verdict with -DLATE --reduction none: violated "data race"
//@ verdict with -DLATE --reduction global: violated "data race"
//@ verdict with -DLATE --reduction superstep: violated "data race"
// A loop that publishes a block a round: what was released in one round says nothing about
// the next.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) slots[2];

static void *send(void *arg) {
    for (int i = 0; i < 2; i++) {
        int *block = malloc(sizeof *block);
        *block = i;
#ifdef LATE
        if (i == 0)
#endif
            atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&slots[i], block, memory_order_relaxed);
    }
    return arg;
}

static void *receive(void *arg) {
    for (int i = 0; i < 2; i++) {
        int *block = atomic_load_explicit(&slots[i], memory_order_acquire);
        if (block) ++*block;
    }
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
