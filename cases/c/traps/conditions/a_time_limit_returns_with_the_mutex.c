//@ verdict: holds
// The mutex is held again when the wait returns, also if it timed out (POSIX,
// pthread_cond_timedwait).
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int n;

void *tell(void *unused) {
    pthread_mutex_lock(&lock);
    n++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, tell, NULL);
    struct timespec soon = {1, 0};
    pthread_mutex_lock(&lock);
    int result = pthread_cond_timedwait(&changed, &lock, &soon);
    assert(result == 0 || result == ETIMEDOUT);
    n++;
    pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    assert(n == 2);
    return 0;
}
