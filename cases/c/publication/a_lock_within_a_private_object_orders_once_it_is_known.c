//@ args: --property no-data-race
//@ verdict: holds presuming sequential-consistency
//@ verdict with --reduction none: holds presuming sequential-consistency
//@ verdict with --reduction global: holds presuming sequential-consistency
//@ verdict with --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DUNLOCKED: violated "data race"
//@ verdict with -DUNLOCKED --reduction none: violated "data race"
//@ verdict with -DUNLOCKED --reduction global: violated "data race"
//@ verdict with -DUNLOCKED --reduction superstep: violated "data race"
// What was released to a lock or an atomic of an object that nobody else knew is acquired
// there later.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    pthread_mutex_t lock;
    int x;
};

_Atomic(struct node *) head;
int message;

static void *send(void *arg) {
    struct node *node = malloc(sizeof *node);
    pthread_mutex_init(&node->lock, NULL);
    atomic_thread_fence(memory_order_release);
    pthread_mutex_lock(&node->lock);
    message = 1;
    node->x = 1;
    pthread_mutex_unlock(&node->lock);
    atomic_store_explicit(&head, node, memory_order_relaxed);
    return arg;
}

static void *receive(void *arg) {
    struct node *node = atomic_load_explicit(&head, memory_order_acquire);
    if (node) {
#ifndef UNLOCKED
        pthread_mutex_lock(&node->lock);
#endif
        message++;
        node->x++;
#ifndef UNLOCKED
        pthread_mutex_unlock(&node->lock);
#endif
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
