//@ args: --property no-data-race
//@ verdict: holds presuming sequential-consistency
//@ verdict with --reduction none: holds presuming sequential-consistency
//@ verdict with --reduction global: holds presuming sequential-consistency
//@ verdict with --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DLATE_COPY: violated "data race"
//@ verdict with -DLATE_COPY --reduction none: violated "data race"
//@ verdict with -DLATE_COPY --reduction global: violated "data race"
//@ verdict with -DLATE_COPY --reduction superstep: violated "data race"
//@ verdict with -DLATE_FILL: violated "data race"
//@ verdict with -DLATE_FILL --reduction none: violated "data race"
//@ verdict with -DLATE_FILL --reduction global: violated "data race"
//@ verdict with -DLATE_FILL --reduction superstep: violated "data race"
//@ verdict with -DLATE_GROWTH: violated "data race"
//@ verdict with -DLATE_GROWTH --reduction none: violated "data race"
//@ verdict with -DLATE_GROWTH --reduction global: violated "data race"
//@ verdict with -DLATE_GROWTH --reduction superstep: violated "data race"
// `memcpy`, `memset` and `realloc` write as assignments do.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

_Atomic(int *) head;

static void *send(void *arg) {
    int values[2] = {1, 2};
    int *block = malloc(sizeof values);
    memset(block, 0, sizeof values);
    memcpy(block, values, sizeof values);
#ifndef LATE_GROWTH
    block = realloc(block, 2 * sizeof values);
#endif
    atomic_thread_fence(memory_order_release);
#ifdef LATE_COPY
    memcpy(block, values, sizeof values);
#endif
#ifdef LATE_FILL
    memset(block, 0, sizeof values);
#endif
#ifdef LATE_GROWTH
    block = realloc(block, 2 * sizeof values);
#endif
    atomic_store_explicit(&head, block, memory_order_relaxed);
    return arg;
}

static void *receive(void *arg) {
    int *block = atomic_load_explicit(&head, memory_order_acquire);
    if (block) block[1]++;
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
