//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main.
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *careful(void *unused) {
    pthread_mutex_lock(&lock);
    shared = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *careless(void *unused) {
    shared = 1;
    return 0;
}

void *(*const roles[])(void *) = {careful, careless};

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, roles[i == 1], 0);
}
