//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main.
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int shared;

void *work(void *unused) {
    shared = 1;
    return 0;
}

int main(void) {
    pthread_t thread, older;
    for (int i = 0, n = N; i < n; i++) {
        pthread_create(&thread, 0, work, 0);
        if (i > 0)
            pthread_join(older, 0);
        older = thread;
    }
}
