//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main.
#include <threads.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int shared;

int work(void *unused) {
    shared++;
    return 0;
}

int main(void) {
    thrd_t thread;
    for (int i = 0, n = N; i < n; i++) {
        thrd_create(&thread, work, 0);
        thrd_detach(thread);
    }
}
