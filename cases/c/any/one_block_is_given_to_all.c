//@ args: --threads any
//@ verdict: violated
// Fails with 2 threads beside main.
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

void *work(void *argument) {
    free(argument);
    return 0;
}

int main(void) {
    pthread_t thread;
    int *number = malloc(sizeof *number);
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, number);
}
