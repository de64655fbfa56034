//@ args: --threads any --property unreach-call,valid-memsafety
//@ verdict: violated
// Fails with 1 thread beside main.
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

void *work(void *argument) {
    return *(int *)argument ? argument : 0;
}

int main(void) {
    pthread_t thread;
    int *shared = malloc(sizeof *shared);
    *shared = 7;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, shared);
    free(shared);
}
