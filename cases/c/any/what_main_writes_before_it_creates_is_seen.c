//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int setting;

void *work(void *unused) {
    assert(setting == 7);
    return 0;
}

int main(void) {
    pthread_t thread;
    setting = 7;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
}
