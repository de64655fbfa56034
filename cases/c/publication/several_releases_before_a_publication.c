//@ args: --property no-data-race
//@ verdict: holds presuming sequential-consistency
//@ verdict with --reduction none: holds presuming sequential-consistency
//@ verdict with --reduction global: holds presuming sequential-consistency
//@ verdict with --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DSECOND: violated "data race"
//@ verdict with -DSECOND --reduction none: violated "data race"
//@ verdict with -DSECOND --reduction global: violated "data race"
//@ verdict with -DSECOND --reduction superstep: violated "data race"
// Two flags, released one after the other with a write between them: the second flag orders
// both writes, the first only the first (SECOND: it reads what is behind it).
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int x, y;
};

_Atomic(struct node *) head;
atomic_int first, second;

static void *send(void *arg) {
    struct node *node = malloc(sizeof *node);
    node->x = 1;
    atomic_store_explicit(&first, 1, memory_order_release);
    node->y = 2;
    atomic_fetch_add_explicit(&second, 1, memory_order_release);
    atomic_store_explicit(&head, node, memory_order_relaxed);
    return arg;
}

static void *receive(void *arg) {
    struct node *node = atomic_load_explicit(&head, memory_order_relaxed);
    if (node && atomic_load_explicit(&first, memory_order_acquire)) {
        node->x++;
#ifndef SECOND
        if (atomic_load_explicit(&second, memory_order_acquire))
#endif
            node->y++;
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
