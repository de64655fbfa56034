//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 1 thread beside main.
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

void *work(void *argument) {
    *(int *)argument = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    int *last = 0;
    for (int i = 0, n = N; i < n; i++) {
        last = malloc(sizeof *last);
        pthread_create(&thread, 0, work, last);
    }
    if (last)
        *last = 2;
}
