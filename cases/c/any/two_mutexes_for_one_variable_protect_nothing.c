//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main.
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int shared;
pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

void *work(void *argument) {
    pthread_mutex_t *lock = argument;
    pthread_mutex_lock(lock);
    shared++;
    pthread_mutex_unlock(lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, &locks[i % 2]);
}
