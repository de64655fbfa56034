//@ verdict: holds
// A lock with a time limit gives up (POSIX, pthread_mutex_timedlock), and the thread
// gives back what it has.
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

void *take_left_first(void *unused) {
    struct timespec soon = {1, 0};
    pthread_mutex_lock(&left);
    if (pthread_mutex_timedlock(&right, &soon) == 0)
        pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, take_left_first, NULL);
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    pthread_join(one, NULL);
    return 0;
}
