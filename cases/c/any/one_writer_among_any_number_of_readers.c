//@ args: --threads any
//@ verdict: holds
// The writer is created once. A second one would break it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

atomic_int n_writers;

void *write(void *unused) {
    assert(n_writers == 0);
    n_writers = 1;
    return 0;
}

void *read(void *unused) {
    int seen = n_writers;
    assert(seen == 0 || seen == 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, write, 0);
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, read, 0);
}
