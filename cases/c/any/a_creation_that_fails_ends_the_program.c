//@ args: --threads any
//@ verdict: holds
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N 10000
#endif

int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    shared = !shared;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        if (pthread_create(&thread, 0, work, 0) != 0)
            exit(1);
}
