//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main (N = 1), one of which has ended.
#include <pthread.h>

#ifndef N
#define N 64
#endif

int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    shared = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *watch(void *unused) {
    return work(unused);
}

int main(void) {
    pthread_t workers[N], watchers[N];
    for (int i = 0; i < N; i++) {
        pthread_create(&workers[i], 0, work, 0);
        pthread_create(&watchers[i], 0, watch, 0);
    }
    for (int i = 0; i < N; i++)
        pthread_join(workers[i], 0);
    shared = 2;
}
