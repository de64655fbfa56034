//@ verdict: holds
// A condition variable is bound to a mutex only while a thread waits (POSIX,
// pthread_cond_timedwait), and the first wait ended before the thread.
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *wait_left(void *unused) {
    struct timespec soon = {1, 0};
    pthread_mutex_lock(&left);
    pthread_cond_timedwait(&changed, &left, &soon);
    pthread_mutex_unlock(&left);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, wait_left, NULL);
    pthread_join(one, NULL);
    struct timespec soon = {1, 0};
    pthread_mutex_lock(&right);
    pthread_cond_timedwait(&changed, &right, &soon);
    pthread_mutex_unlock(&right);
    return 0;
}
