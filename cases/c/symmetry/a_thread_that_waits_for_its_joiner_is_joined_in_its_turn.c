//@ args: --property no-deadlock
//@ verdict: violated "deadlock"
//@ verdict with -DSPINNER=1: holds
//@ verdict with --reduction global: violated "deadlock"
//@ verdict with --reduction global -DSPINNER=1: holds
// `main` holds the lock that one thread wants, and waits for that thread or for the other one,
// which never ends: only the first is a circle.
// Numbers fall, so that the order of joins is not that of what the threads look like.
#include <pthread.h>
#include <stddef.h>

#ifndef SPINNER
#define SPINNER 0
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *run(void *number) {
    while ((long)number == SPINNER)
        ;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_mutex_lock(&lock);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, (void *)(1 - i));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
