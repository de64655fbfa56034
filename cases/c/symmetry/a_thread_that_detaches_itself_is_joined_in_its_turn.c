//@ verdict: violated "a detached thread is joined"
//@ verdict with -DSPINNER=1: holds
//@ verdict with --reduction global: violated "a detached thread is joined"
//@ verdict with --reduction global -DSPINNER=1: holds
// Joining the thread that has detached itself is an error, and `main` never comes to it when
// it waits for the other one first, which never ends.
// Numbers fall, so that the order of joins is not that of what the threads look like.
#include <pthread.h>
#include <stddef.h>

#ifndef SPINNER
#define SPINNER 0
#endif

void *run(void *number) {
    while ((long)number == SPINNER)
        ;
    pthread_detach(pthread_self());
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, (void *)(1 - i));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
