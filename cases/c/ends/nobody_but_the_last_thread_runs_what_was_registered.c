//@ args: --property unreach-call
//@ verdict: holds
//@ verdict with --reduction none: holds
//@ verdict with --reduction global: holds
//@ verdict with --reduction superstep: holds
// The function runs when both have ended, and never before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int n_done;

void last(void) {
    assert(n_done == 1);
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
