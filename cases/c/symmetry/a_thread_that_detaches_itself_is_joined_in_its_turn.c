//@ verdict: violated "a detached thread is joined"
//@ verdict with -DSPINNER=0: holds
//@ verdict with --reduction global: violated "a detached thread is joined"
//@ verdict with --reduction global -DSPINNER=0: holds
// Joining the thread that has detached itself is an error, and `main` never comes to it when
// it waits for the other one first, which never ends.
#include <pthread.h>
#include <stddef.h>

#ifndef SPINNER
#define SPINNER 1
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
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
