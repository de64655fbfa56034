//@ args: --property unreach-call
//@ verdict: violated "assertion"
//@ verdict with -DINDEX: violated "assertion"
//@ verdict with -DDIVIDE: violated "assertion"
//@ verdict with -DFREE: violated "assertion"
//@ verdict with -DUNSET: violated "assertion"
//@ verdict with --reduction none: violated "assertion"
// The end of the run is no step that hides what others could do before it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x;
int zero, numbers[2];

void *fail(void *unused) {
    x = 1;
    assert(x != 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *nowhere = NULL, *unset;
    pthread_create(&thread, NULL, fail, NULL);
#if defined INDEX
    numbers[2 + zero] = 1;
#elif defined DIVIDE
    return 1 / zero;
#elif defined FREE
    free(&zero);
#elif defined UNSET
    *unset = 1;
#else
    *nowhere = 1;
#endif
}
