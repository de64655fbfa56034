//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: it needs that all of them are counted.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 64
#endif

atomic_int n_ended;
int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    shared = 1;
    pthread_mutex_unlock(&lock);
    n_ended++;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, 0, work, 0);
    while (n_ended < N)
        ;
    shared = 2;
}
