//@ verdict: violated "different mutexes"
//@ verdict with --reduction superstep: violated "different mutexes"
//@ verdict with --reduction none: violated "different mutexes"
//@ verdict with -DONE: holds
//@ verdict with -DTURNS: holds
// POSIX, pthread_cond_timedwait: more than one mutex for concurrent waits on one condition
// variable is undefined; one after the other they may differ.
#include <pthread.h>
#include <stddef.h>
#include <time.h>

pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void await(pthread_mutex_t *mutex) {
    struct timespec soon = {1, 0};
    pthread_mutex_lock(mutex);
    pthread_cond_timedwait(&changed, mutex, &soon);
    pthread_mutex_unlock(mutex);
}

void *wait_left(void *unused) {
    await(&left);
    return NULL;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, NULL, wait_left, NULL);
#ifdef TURNS
    pthread_join(id, NULL);
#endif
#ifdef ONE
    await(&left);
#else
    await(&right);
#endif
#ifndef TURNS
    pthread_join(id, NULL);
#endif
}
