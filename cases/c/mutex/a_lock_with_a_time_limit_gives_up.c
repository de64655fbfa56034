//@ verdict: holds
// The second thread never gets the lock, and is not in a deadlock all the same.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *wait(void *unused) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    assert(pthread_mutex_timedlock(&lock, &until) == ETIMEDOUT);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&lock);
    pthread_create(&t, NULL, wait, NULL);
    pthread_join(t, NULL);
    pthread_mutex_unlock(&lock);
}
