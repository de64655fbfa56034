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
// The same with a lock that the receiver takes after it has seen the pointer.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) head;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *send(void *arg) {
    int *block = malloc(sizeof *block);
    pthread_mutex_lock(&lock);
    *block = 1;
    pthread_mutex_unlock(&lock);
#ifdef LATE
    *block = 2;
#endif
    atomic_store_explicit(&head, block, memory_order_relaxed);
    return arg;
}

static void *receive(void *arg) {
    int *block = atomic_load_explicit(&head, memory_order_relaxed);
    if (block) {
#ifndef OTHER_WAY
        pthread_mutex_lock(&lock);
#endif
        ++*block;
#ifndef OTHER_WAY
        pthread_mutex_unlock(&lock);
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
