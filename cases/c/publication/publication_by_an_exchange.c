//@ args: --property no-data-race
//@ verdict: holds presuming sequential-consistency
//@ verdict with --reduction none: holds presuming sequential-consistency
//@ verdict with --reduction global: holds presuming sequential-consistency
//@ verdict with --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DRELAXED: violated "data race"
//@ verdict with -DRELAXED --reduction none: violated "data race"
//@ verdict with -DRELAXED --reduction global: violated "data race"
//@ verdict with -DRELAXED --reduction superstep: violated "data race"
//@ verdict with -DFENCE: holds presuming sequential-consistency
//@ verdict with -DFENCE --reduction none: holds presuming sequential-consistency
//@ verdict with -DFENCE --reduction global: holds presuming sequential-consistency
//@ verdict with -DFENCE --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DLATE -DFENCE: violated "data race"
//@ verdict with -DLATE -DFENCE --reduction none: violated "data race"
//@ verdict with -DLATE -DFENCE --reduction global: violated "data race"
//@ verdict with -DLATE -DFENCE --reduction superstep: violated "data race"
// A lock-free stack: pushing by compare-exchange, with release, relaxed, or relaxed behind a
// fence.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

_Atomic(struct node *) head;
#if defined FENCE || defined RELAXED
#define PUSHED memory_order_relaxed
#else
#define PUSHED memory_order_release
#endif

static void *send(void *arg) {
    struct node *node = malloc(sizeof *node);
    node->value = 1;
    node->next = atomic_load_explicit(&head, memory_order_relaxed);
#ifdef FENCE
    atomic_thread_fence(memory_order_release);
#endif
#ifdef LATE
    node->value = 2;
#endif
    while (!atomic_compare_exchange_strong_explicit(&head, &node->next, node, PUSHED,
                                                    memory_order_relaxed));
    return arg;
}

static void *receive(void *arg) {
    struct node *node = atomic_exchange_explicit(&head, NULL, memory_order_acquire);
    if (node) node->value++;
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
