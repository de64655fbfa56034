//@ args: --threads any
//@ verdict: violated "data race"
// Both threads of a round have a mutex each, for one object. Fails with 2 threads beside
// main (N = 1).
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int value;

void *work(void *argument) {
    pthread_mutex_t *lock = argument;
    pthread_mutex_lock(lock);
    value = 1 - value;
    pthread_mutex_unlock(lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        for (int j = 0; j < 2; j++) {
            pthread_mutex_t *lock = malloc(sizeof *lock);
            pthread_mutex_init(lock, 0);
            pthread_create(&thread, 0, work, lock);
        }
}
