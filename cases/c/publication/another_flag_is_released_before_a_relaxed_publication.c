//@ args: --property no-data-race
//@ verdict: holds presuming sequential-consistency
//@ verdict with --reduction none: holds presuming sequential-consistency
//@ verdict with --reduction global: holds presuming sequential-consistency
//@ verdict with --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DLATE: violated "data race"
//@ verdict with -DLATE --reduction none: violated "data race"
//@ verdict with -DLATE --reduction global: violated "data race"
//@ verdict with -DLATE --reduction superstep: violated "data race"
//@ verdict with -DOTHER_WAY: violated "data race"
//@ verdict with -DOTHER_WAY --reduction none: violated "data race"
//@ verdict with -DOTHER_WAY --reduction global: violated "data race"
//@ verdict with -DOTHER_WAY --reduction superstep: violated "data race"
// Who has acquired the flag knows what was written before it was released, also to memory
// that was published later. What was written in between is not ordered (LATE), and nor is
// anything for who has only seen the pointer (OTHER_WAY).
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) head;
atomic_int flag;

static void *send(void *arg) {
    int *block = malloc(2 * sizeof *block);
    block[0] = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
#ifdef LATE
    block[0] = 2;
#endif
    atomic_store_explicit(&head, block, memory_order_relaxed);
    return arg;
}

static void *receive(void *arg) {
    int *block = atomic_load_explicit(&head, memory_order_relaxed);
#ifdef OTHER_WAY
    if (block) block[0]++;
#else
    if (block && atomic_load_explicit(&flag, memory_order_acquire)) block[0]++;
#endif
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
