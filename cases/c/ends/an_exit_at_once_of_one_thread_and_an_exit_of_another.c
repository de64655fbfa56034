//@ args: --property unreach-call
//@ verdict: violated "is_set"
//@ verdict with --reduction none: violated "is_set"
//@ verdict with --reduction global: violated "is_set"
//@ verdict with --reduction superstep: violated "is_set"
// Whoever calls `_exit` runs nothing that was registered. It is the other thread that may
// come first, and runs it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

atomic_int is_set;

void last(void) {
    assert(is_set);
}

void *leave(void *unused) {
    exit(0);
}

int main(void) {
    pthread_t thread;
    atexit(last);
    pthread_create(&thread, NULL, leave, NULL);
    _exit(0);
}
