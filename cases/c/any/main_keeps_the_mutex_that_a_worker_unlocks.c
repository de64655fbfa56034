//@ args: --threads any
//@ verdict: violated "unlock"
// Fails with 1 thread beside main.
#include <pthread.h>

#ifndef N
#define N 10000
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < N; i++)
        pthread_create(&thread, 0, work, 0);
    pthread_mutex_unlock(&lock);
}
