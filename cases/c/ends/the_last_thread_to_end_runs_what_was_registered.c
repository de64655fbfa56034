//@ args: --property unreach-call
//@ verdict: violated "n_done == 2"
//@ verdict with --reduction none: violated "n_done == 2"
//@ verdict with --reduction global: violated "n_done == 2"
//@ verdict with --reduction superstep: violated "n_done == 2"
// POSIX: the process ends after its last thread, as if by `exit`. Two threads may end in
// any order, and the last one runs the function.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int n_done;

void last(void) {
    assert(n_done == 2);
}

void *work(void *unused) {
    n_done++;
    return NULL;
}

int main(void) {
    pthread_t thread;
    atexit(last);
    pthread_create(&thread, NULL, work, NULL);
    pthread_exit(NULL);
}
