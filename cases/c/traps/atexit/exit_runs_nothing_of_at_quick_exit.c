//@ verdict: holds
//@ verdict with -DQUICK: violated "`exit` is called by a function that runs because of it"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int value;

static void last(void) {
#ifdef QUICK
    quick_exit(0);
#else
    assert(value == 1);
#endif
}
static void other(void) { last(); value = 2; }

static void *work(void *arg) {
    value = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    atexit(last);
    at_quick_exit(other);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
#ifdef QUICK
    quick_exit(0);
#endif
    return 0;
}
