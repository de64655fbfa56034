//@ args: --property no-data-race
//@ verdict: holds presuming sequential-consistency
//@ verdict with --reduction none: holds presuming sequential-consistency
//@ verdict with --reduction global: holds presuming sequential-consistency
//@ verdict with --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DLATE: violated "data race"
//@ verdict with -DLATE --reduction none: violated "data race"
//@ verdict with -DLATE --reduction global: violated "data race"
//@ verdict with -DLATE --reduction superstep: violated "data race"
//@ verdict with -DSEMAPHORE: holds presuming sequential-consistency
//@ verdict with -DSEMAPHORE --reduction none: holds presuming sequential-consistency
//@ verdict with -DSEMAPHORE --reduction global: holds presuming sequential-consistency
//@ verdict with -DSEMAPHORE --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DSEMAPHORE -DLATE: violated "data race"
//@ verdict with -DSEMAPHORE -DLATE --reduction none: violated "data race"
//@ verdict with -DSEMAPHORE -DLATE --reduction global: violated "data race"
//@ verdict with -DSEMAPHORE -DLATE --reduction superstep: violated "data race"
//@ verdict with -DBARRIER: holds presuming sequential-consistency
//@ verdict with -DBARRIER --reduction none: holds presuming sequential-consistency
//@ verdict with -DBARRIER --reduction global: holds presuming sequential-consistency
//@ verdict with -DBARRIER --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DBARRIER -DLATE: violated "data race"
//@ verdict with -DBARRIER -DLATE --reduction none: violated "data race"
//@ verdict with -DBARRIER -DLATE --reduction global: violated "data race"
//@ verdict with -DBARRIER -DLATE --reduction superstep: violated "data race"
//@ verdict with -DSIGNAL: holds presuming sequential-consistency
//@ verdict with -DSIGNAL --reduction none: holds presuming sequential-consistency
//@ verdict with -DSIGNAL --reduction global: holds presuming sequential-consistency
//@ verdict with -DSIGNAL --reduction superstep: holds presuming sequential-consistency
//@ verdict with -DSIGNAL -DLATE: violated "data race"
//@ verdict with -DSIGNAL -DLATE --reduction none: violated "data race"
//@ verdict with -DSIGNAL -DLATE --reduction global: violated "data race"
//@ verdict with -DSIGNAL -DLATE --reduction superstep: violated "data race"
// A block is published relaxed behind the unlocking of a mutex, `sem_post`,
// `pthread_barrier_wait`, or a signal under a lock; who has come through the other side knows
// what was written before, and nothing of what was written since (LATE).
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) head;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
pthread_barrier_t barrier;
sem_t semaphore;
int is_ready;

static void hand_over(void) {
#if defined SEMAPHORE
    sem_post(&semaphore);
#elif defined BARRIER
    pthread_barrier_wait(&barrier);
#else
    pthread_mutex_lock(&lock);
    is_ready = 1;
#ifdef SIGNAL
    pthread_cond_signal(&changed);
#endif
    pthread_mutex_unlock(&lock);
#endif
}

static int take_over(void) {
#if defined SEMAPHORE
    sem_wait(&semaphore);
    return 1;
#elif defined BARRIER
    pthread_barrier_wait(&barrier);
    return 1;
#else
    pthread_mutex_lock(&lock);
#ifdef SIGNAL
    while (!is_ready) pthread_cond_wait(&changed, &lock);
#endif
    int was_ready = is_ready;
    pthread_mutex_unlock(&lock);
    return was_ready;
#endif
}

static void *send(void *arg) {
    int *block = malloc(sizeof *block);
    *block = 1;
    hand_over();
#ifdef LATE
    *block = 2;
#endif
    atomic_store_explicit(&head, block, memory_order_relaxed);
    return arg;
}

static void *receive(void *arg) {
    if (take_over()) {
        int *block = atomic_load_explicit(&head, memory_order_relaxed);
        if (block) ++*block;
    }
    return arg;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&threads[0], NULL, send, NULL);
    pthread_create(&threads[1], NULL, receive, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
