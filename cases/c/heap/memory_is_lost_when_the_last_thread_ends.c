//@ args: --property valid-memsafety
//@ verdict: violated "was not freed"
//@ verdict with --reduction none: violated "was not freed"
//@ verdict with --reduction global: violated "was not freed"
//@ verdict with --reduction superstep: violated "was not freed"
//@ verdict with -DFREED: holds
//@ verdict with -DFREED --reduction none: holds
//@ verdict with -DFREED --reduction global: holds
//@ verdict with -DFREED --reduction superstep: holds
//@ verdict with -DKNOWN: holds
//@ verdict with -DKNOWN --reduction none: holds
//@ verdict with -DKNOWN --reduction global: holds
//@ verdict with -DKNOWN --reduction superstep: holds
//@ verdict with -DMAIN: violated "was not freed"
//@ verdict with -DMAIN --reduction none: violated "was not freed"
//@ verdict with -DMAIN --reduction global: violated "was not freed"
//@ verdict with -DMAIN --reduction superstep: violated "was not freed"
//@ verdict with -DSHARED: violated "was not freed"
//@ verdict with -DSHARED --reduction none: violated "was not freed"
//@ verdict with -DSHARED --reduction global: violated "was not freed"
//@ verdict with -DSHARED --reduction superstep: violated "was not freed"
// A program that ends with its last thread is asked about lost memory as one whose `main`
// returns.
#include <pthread.h>
#include <stdlib.h>

int *known;

static void *work(void *arg) {
#ifndef MAIN
    int *block = malloc(4);
#ifdef KNOWN
    known = block;
#endif
#ifdef SHARED
    known = block;
    known = NULL;
#endif
#ifdef FREED
    free(block);
#endif
#endif
    return NULL;
}

int main(void) {
    pthread_t thread;
#ifdef MAIN
    int *volatile block = malloc(4);
#endif
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    pthread_exit(NULL);
}
