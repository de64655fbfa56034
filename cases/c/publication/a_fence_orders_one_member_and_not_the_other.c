//@ args: --property no-data-race
//@ verdict: holds presuming sequential-consistency
//@ verdict with --reduction none: holds presuming sequential-consistency
//@ verdict with --reduction global: holds presuming sequential-consistency
//@ verdict with --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DOTHER: violated "data race"
//@ verdict with -DOTHER --reduction none: violated "data race"
//@ verdict with -DOTHER --reduction global: violated "data race"
//@ verdict with -DOTHER --reduction superstep: violated "data race"
// Writes on both sides of a fence: the first is ordered, the second is not.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int x, y;
};

_Atomic(struct node *) head;

static void *send(void *arg) {
    struct node *node = malloc(sizeof *node);
    node->x = 1;
    atomic_thread_fence(memory_order_release);
    node->y = 2;
    atomic_store_explicit(&head, node, memory_order_relaxed);
    return arg;
}

static void *receive(void *arg) {
    struct node *node = atomic_load_explicit(&head, memory_order_acquire);
#ifdef OTHER
    if (node) node->y++;
#else
    if (node) node->x++;
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
