//@ args: --threads any
//@ verdict: violated "number < 3"
// The block on the heap takes the counter along. Fails with 4 threads beside main.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

void *work(void *argument) {
    int number = *(int *)argument;
    free(argument);
    assert(number < 3);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++) {
        int *number = malloc(sizeof *number);
        *number = i;
        pthread_create(&thread, 0, work, number);
    }
}
