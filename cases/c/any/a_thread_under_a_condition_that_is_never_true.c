//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

void *work(void *unused) {
    assert(0);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++) {
        int x = __VERIFIER_nondet_int();
        if (x > 5 && x < 3)
            pthread_create(&thread, 0, work, 0);
    }
}
