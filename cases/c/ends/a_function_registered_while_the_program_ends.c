//@ args: --property unreach-call
//@ verdict: violated "n_ended == 0"
//@ verdict with --reduction none: violated "n_ended == 0"
//@ verdict with --reduction global: violated "n_ended == 0"
//@ verdict with --reduction superstep: violated "n_ended == 0"
// The thread registers the function just before `main` returns and runs it, and goes on
// meanwhile. So the end of the program depends on what is registered, even if nothing is.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int n_ended;

void last(void) {
    n_ended++;
}

void *work(void *unused) {
    atexit(last);
    assert(n_ended == 0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    return 0;
}
