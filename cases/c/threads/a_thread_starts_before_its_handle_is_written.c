//@ args: --property unreach-call
//@ verdict: violated "found"
//@ verdict with --reduction none: violated "found"
//@ verdict with --reduction global: violated "found"
//@ verdict with --reduction superstep: violated "found"
//@ verdict with -DDETACHED: violated "found"
//@ verdict with -DDETACHED --reduction none: violated "found"
//@ verdict with -DDETACHED --reduction global: violated "found"
//@ verdict with -DDETACHED --reduction superstep: violated "found"
//@ verdict with -DSECOND: holds
//@ verdict with -DSECOND --reduction none: holds
//@ verdict with -DSECOND --reduction global: holds
//@ verdict with -DSECOND --reduction superstep: holds
// The value that a new thread finds where its `pthread_t` goes may be the old one. The
// thread that was created before has been told.
#include <assert.h>
#include <pthread.h>

pthread_t first, second;

static void *look(void *arg) {
    pthread_t *handle = arg;
    int found = *handle != 0;
    assert(found);
    return NULL;
}

static void *idle(void *arg) {
    return arg;
}

int main(void) {
#ifdef SECOND
    pthread_create(&first, NULL, idle, NULL);
    pthread_create(&second, NULL, look, &first);
    pthread_join(second, NULL);
#else
    pthread_create(&first, NULL, look, &first);
#ifdef DETACHED
    pthread_detach(first);
    pthread_exit(NULL);
#endif
#endif
    pthread_join(first, NULL);
    return 0;
}
