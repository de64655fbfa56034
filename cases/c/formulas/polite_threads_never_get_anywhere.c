//@ verdict with --property termination: violated
//@ verdict with --property termination --reduction global: violated
//@ verdict with --property termination --reduction none: violated
//@ verdict with --property termination -DIMPOLITE: holds
//@ verdict: holds
// Each gives way when the other wants to go on as well, and wants again: both may do so
// for ever, in step. No thread waits, so it is no deadlock; nothing is done all the same.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int wants[2];

void *go(void *argument) {
    int me = argument != NULL, other = 1 - me;
    wants[me] = 1;
#ifdef IMPOLITE
    while (me && wants[other]) {
    }
#else
    while (wants[other]) {
        wants[me] = 0;
        wants[me] = 1;
    }
#endif
    wants[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, go, NULL);
    pthread_create(&b, NULL, go, &b);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
