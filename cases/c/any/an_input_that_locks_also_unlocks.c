//@ args: --threads any
//@ verdict: holds
// Whether the lock is taken, used and given back depends on one input of the thread.
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    int x = __VERIFIER_nondet_int();
    if (x > 0)
        pthread_mutex_lock(&lock);
    if (x >= 1)
        shared = 1;
    if (x > 0)
        pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
}
