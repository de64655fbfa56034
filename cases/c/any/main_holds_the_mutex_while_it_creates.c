//@ args: --threads any
//@ verdict: holds
// Nobody reads before main has written.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int setting;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    assert(setting == 1);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
    setting = 1;
    pthread_mutex_unlock(&lock);
}
