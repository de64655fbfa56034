//@ args: --threads any
//@ verdict: violated "data race"
// Workers run while the functions of `atexit` do. Fails with 1 thread beside main.
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int shared;

void at_exit(void) {
    shared = 1;
}

void *work(void *unused) {
    shared = 2;
    return 0;
}

int main(void) {
    pthread_t thread;
    atexit(at_exit);
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
}
