//@ verdict: violated
//@ verdict with --property no-data-race: violated "data race"
//@ verdict with --property no-data-race --reduction none: violated "data race"
//@ verdict with --property no-data-race --reduction global: violated "data race"
//@ verdict with --property no-data-race --reduction superstep: violated "data race"
//@ verdict with -DKEPT: holds
//@ verdict with -DKEPT --reduction none: holds
//@ verdict with -DKEPT --reduction global: holds
//@ verdict with -DKEPT --reduction superstep: holds
//@ verdict with --property valid-memsafety: violated "after it was gone"
//@ verdict with --property valid-memsafety --reduction none: violated "after it was gone"
//@ verdict with --property valid-memsafety --reduction global: violated "after it was gone"
//@ verdict with --property valid-memsafety --reduction superstep: violated "after it was gone"
// Thread-local variables end with their thread.
#include <pthread.h>
#include <stdatomic.h>

_Thread_local int own;
_Atomic(int *) known;
atomic_int done;

static void *lend(void *arg) {
    known = &own;
#ifdef KEPT
    while (!done);
#endif
    return NULL;
}

static void *write(void *arg) {
    int *theirs = known;
    if (theirs) *theirs = 1;
    done = 1;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, lend, NULL);
    pthread_create(&threads[1], NULL, write, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
