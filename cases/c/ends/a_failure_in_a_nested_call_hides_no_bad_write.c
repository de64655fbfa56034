//@ args: --property valid-memsafety
//@ verdict: violated "null"
//@ verdict with --reduction none: violated "null"
//@ verdict with --reduction global: violated "null"
//@ verdict with --reduction superstep: violated "null"
// Between its unlock and its end, the thread lets `main` in.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int is_done;
int *nowhere;

static void fail(void) {
    assert(0);
}

static void check(void) {
    fail();
}

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    is_done = 1;
    pthread_mutex_unlock(&lock);
    check();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    if (is_done)
        *nowhere = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}
