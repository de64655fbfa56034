//@ args: --threads any --property unreach-call,valid-memsafety
//@ verdict: violated
// The counter of the loop matters. Fails with 5 threads beside main.
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

void *work(void *unused) {
    return 0;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&threads[i], 0, work, 0);
}
