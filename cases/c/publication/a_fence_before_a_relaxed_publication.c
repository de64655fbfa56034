//@ args: --property no-data-race
//@ verdict: holds presuming sequential-consistency
//@ verdict with --reduction none: holds presuming sequential-consistency
//@ verdict with --reduction global: holds presuming sequential-consistency
//@ verdict with --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DLATE: violated "data race"
//@ verdict with -DLATE --reduction none: violated "data race"
//@ verdict with -DLATE --reduction global: violated "data race"
//@ verdict with -DLATE --reduction superstep: violated "data race"
//@ verdict with -DTOO_EARLY: violated "data race"
//@ verdict with -DTOO_EARLY --reduction none: violated "data race"
//@ verdict with -DTOO_EARLY --reduction global: violated "data race"
//@ verdict with -DTOO_EARLY --reduction superstep: violated "data race"
//@ verdict with -DRELAXED: violated "data race"
//@ verdict with -DRELAXED --reduction none: violated "data race"
//@ verdict with -DRELAXED --reduction global: violated "data race"
//@ verdict with -DRELAXED --reduction superstep: violated "data race"
// The release fence orders the writes before it, whoever can see them when. A write behind
// it is not ordered (LATE), a fence before the writes orders none of them (TOO_EARLY), and
// nor does any fence if the receiver does not acquire (RELAXED).
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int x, y;
};

_Atomic(struct node *) head;

static void *send(void *arg) {
    struct node *node = malloc(sizeof *node);
#ifdef TOO_EARLY
    atomic_thread_fence(memory_order_release);
#endif
    node->x = 1;
#ifndef TOO_EARLY
    atomic_thread_fence(memory_order_release);
#endif
#ifdef LATE
    node->y = 2;
#endif
    atomic_store_explicit(&head, node, memory_order_relaxed);
    return arg;
}

static void *receive(void *arg) {
#ifdef RELAXED
    struct node *node = atomic_load_explicit(&head, memory_order_relaxed);
#else
    struct node *node = atomic_load_explicit(&head, memory_order_acquire);
#endif
    if (node) {
        node->x++;
        node->y = 3;
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
