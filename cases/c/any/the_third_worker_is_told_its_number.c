//@ args: --threads any
//@ verdict: violated "number != 2"
// The counter of the loop matters. Fails with 3 threads beside main.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

void *work(void *argument) {
    long number = (long)argument;
    assert(number != 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, (void *)(long)i);
}
