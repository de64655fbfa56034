//@ verdict: holds
// Under no circumstance does the call fail with a timeout if the mutex can be locked
// immediately (POSIX, pthread_mutex_timedlock).
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    struct timespec past = {1, 0};
    assert(pthread_mutex_timedlock(&lock, &past) == 0);
    pthread_mutex_unlock(&lock);
    return 0;
}
