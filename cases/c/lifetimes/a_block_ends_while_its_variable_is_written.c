//@ verdict: violated "data race"
//@ verdict with --property no-data-race: violated "data race"
//@ verdict with --reduction none: violated "data race"
//@ verdict with --reduction global: violated "data race"
//@ verdict with --reduction superstep: violated "data race"
//@ verdict with -DJOINED: holds
//@ verdict with -DJOINED --reduction none: holds
//@ verdict with -DJOINED --reduction global: holds
//@ verdict with -DJOINED --reduction superstep: holds
//@ verdict with --property valid-memsafety: violated "after it was gone"
//@ verdict with --property valid-memsafety --reduction none: violated "after it was gone"
//@ verdict with --property valid-memsafety --reduction global: violated "after it was gone"
//@ verdict with --property valid-memsafety --reduction superstep: violated "after it was gone"
// A block that is left ends its variables as a return does.
#include <pthread.h>

static void *write(void *arg) {
    *(int *)arg = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    {
        int local = 0;
        pthread_create(&thread, NULL, write, &local);
#ifdef JOINED
        pthread_join(thread, NULL);
#endif
    }
#ifndef JOINED
    pthread_join(thread, NULL);
#endif
    return 0;
}
