//@ args: --threads any
//@ verdict: holds
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int shared;

void *work(void *unused) {
    if (shared == 0)
        shared = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    work(0);
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
}
