//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

_Atomic(int *) published;

void *work(void *argument) {
    int *mine = argument;
    *mine = 1;
    published = mine;
    int *theirs = published;
    *theirs = 2;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, malloc(sizeof(int)));
}
