//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main (N = 1), one of either kind.
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int written;

void *write(void *unused) {
    written++;
    return 0;
}

void *read(void *unused) {
    return written ? &written : 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, write, 0);
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, read, 0);
}
