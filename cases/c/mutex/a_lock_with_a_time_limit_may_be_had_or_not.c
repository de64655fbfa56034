//@ verdict: violated "result == 0"
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *hold(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    struct timespec until = {2000000000, 0};
    pthread_create(&t, NULL, hold, NULL);
    int result = pthread_mutex_timedlock(&lock, &until);
    assert(result == 0);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
}
