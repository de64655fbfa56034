//@ verdict: holds
// A second lock returns EDEADLK, an unlock without the lock EPERM (POSIX,
// pthread_mutex_lock); both are errors and not undefined.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t lock;

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attributes);
    assert(pthread_mutex_unlock(&lock) == EPERM);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    assert(pthread_mutex_unlock(&lock) == 0);
    pthread_mutex_destroy(&lock);
    return 0;
}
