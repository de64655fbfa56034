//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
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

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return shared;
}
