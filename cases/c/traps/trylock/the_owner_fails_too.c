//@ verdict: holds
// A normal mutex is locked, also for its owner: EBUSY and no deadlock (POSIX,
// pthread_mutex_trylock).
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&lock);
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    pthread_mutex_unlock(&lock);
    assert(pthread_mutex_trylock(&lock) == 0);
    pthread_mutex_unlock(&lock);
    return 0;
}
