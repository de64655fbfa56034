//@ verdict: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t never = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec until = {2000000000, 0};
    int result = 0;
    pthread_mutex_lock(&lock);
    while (result == 0)
        result = pthread_cond_timedwait(&never, &lock, &until);
    assert(result == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
}
