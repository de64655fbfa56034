//@ args: --threads any --property unreach-call
//@ verdict: holds
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int setting;
volatile int is_ready;

void *work(void *unused) {
    while (!is_ready)
        ;
    assert(setting == 7);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
    setting = 7;
    is_ready = 1;
}
