//@ verdict: violated "data race"
//@ verdict with --property no-data-race: violated "data race"
//@ verdict with --reduction none: violated "data race"
//@ verdict with --reduction global: violated "data race"
//@ verdict with --reduction superstep: violated "data race"
//@ verdict with --property valid-memsafety: violated "after it was gone"
//@ verdict with --property valid-memsafety --reduction none: violated "after it was gone"
//@ verdict with --property valid-memsafety --reduction global: violated "after it was gone"
//@ verdict with --property valid-memsafety --reduction superstep: violated "after it was gone"
//@ verdict with -DWEAK: violated "data race"
//@ verdict with -DWEAK --reduction none: violated "data race"
//@ verdict with -DWEAK --reduction global: violated "data race"
//@ verdict with -DWEAK --reduction superstep: violated "data race"
//@ verdict with -DJOINED: holds
//@ verdict with -DJOINED --reduction none: holds
//@ verdict with -DJOINED --reduction global: holds
//@ verdict with -DJOINED --reduction superstep: holds
//@ verdict with -DEXIT: holds
//@ verdict with -DEXIT --reduction none: holds
//@ verdict with -DEXIT --reduction global: holds
//@ verdict with -DEXIT --reduction superstep: holds
//@ verdict with -DTHREAD_EXIT: violated "data race"
//@ verdict with -DTHREAD_EXIT --reduction none: violated "data race"
//@ verdict with -DTHREAD_EXIT --reduction global: violated "data race"
//@ verdict with -DTHREAD_EXIT --reduction superstep: violated "data race"
// The end of a lifetime is a write to all of the object, for races, also where atomics are
// weak. `exit` ends no function.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WEAK
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_seq_cst
#endif

atomic_int done;

static void *write(void *arg) {
    *(int *)arg = 1;
    atomic_store_explicit(&done, 1, ORDER);
    return NULL;
}

int main(void) {
    int local = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, write, &local);
#ifdef JOINED
    pthread_join(thread, NULL);
#endif
#ifdef EXIT
    exit(0);
#endif
#ifdef THREAD_EXIT
    pthread_exit(NULL);
#endif
    return 0;
}
