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
    free(argument);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++) {
        int *number = malloc(sizeof *number);
        pthread_create(&thread, 0, work, number);
        *number = 2;
    }
}
