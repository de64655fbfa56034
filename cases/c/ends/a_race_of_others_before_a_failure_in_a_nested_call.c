//@ args: --property no-data-race
//@ verdict: violated "data race on `g`"
//@ verdict with --reduction none: violated "data race on `g`"
//@ verdict with --reduction global: violated "data race on `g`"
//@ verdict with --reduction superstep: violated "data race on `g`"
// The assertion is two calls away from the threads that were created.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int g;

void *count(void *unused) {
    g++;
    return NULL;
}

static void inner(int n) {
    assert(n > 0);
}

static void outer(void) {
    inner(0);
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, count, NULL);
    pthread_create(&other, NULL, count, NULL);
    outer();
}
