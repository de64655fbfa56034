//@ verdict: violated "data race"
//@ verdict with --property no-data-race: violated "data race"
//@ verdict with --reduction none: violated "data race"
//@ verdict with --reduction global: violated "data race"
//@ verdict with --reduction superstep: violated "data race"
//@ verdict with -DGROW: violated "data race"
//@ verdict with -DGROW --reduction none: violated "data race"
//@ verdict with -DGROW --reduction global: violated "data race"
//@ verdict with -DGROW --reduction superstep: violated "data race"
//@ verdict with -DWEAK: violated "data race"
//@ verdict with -DWEAK --reduction none: violated "data race"
//@ verdict with -DWEAK --reduction global: violated "data race"
//@ verdict with -DWEAK --reduction superstep: violated "data race"
//@ verdict with -DJOINED: holds
//@ verdict with -DJOINED --reduction none: holds
//@ verdict with -DJOINED --reduction global: holds
//@ verdict with -DJOINED --reduction superstep: holds
//@ verdict with --property valid-memsafety: violated "after it was freed"
//@ verdict with --property valid-memsafety --reduction none: violated "after it was freed"
//@ verdict with --property valid-memsafety --reduction global: violated "after it was freed"
//@ verdict with --property valid-memsafety --reduction superstep: violated "after it was freed"
// `free` and `realloc` end a lifetime.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int flag;

static void *write(void *arg) {
    *(int *)arg = 1;
#ifdef WEAK
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
#endif
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *block = malloc(sizeof *block);
    pthread_create(&thread, NULL, write, block);
#ifdef JOINED
    pthread_join(thread, NULL);
#endif
#ifdef WEAK
    while (!atomic_load_explicit(&flag, memory_order_relaxed));
#endif
#ifdef GROW
    block = realloc(block, 2 * sizeof *block);
#endif
    free(block);
#ifndef JOINED
    pthread_join(thread, NULL);
#endif
    return 0;
}
