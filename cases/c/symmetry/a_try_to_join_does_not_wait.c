//@ verdict: holds
//@ verdict with -DSPINNER=1: violated "is_running"
//@ verdict with --reduction global: holds
//@ verdict with --reduction global -DSPINNER=1: violated "is_running"
// Two tries side by side, which would both succeed if both threads had ended. The first
// fails if that thread never ends. What they have given is looked at in another step.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef SPINNER
#define SPINNER 0
#endif

atomic_int both_tried;

void *run(void *number) {
    while ((long)number == SPINNER)
        ;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    int is_running = pthread_tryjoin_np(threads[0], NULL);
    pthread_tryjoin_np(threads[1], NULL);
    both_tried = 1;
    assert(is_running);
}
