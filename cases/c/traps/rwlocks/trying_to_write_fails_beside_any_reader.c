//@ verdict: holds
// pthread_rwlock_trywrlock fails if any thread holds the lock, also the calling one
// (POSIX, pthread_rwlock_trywrlock).
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_rdlock(&lock);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    pthread_rwlock_unlock(&lock);
    assert(pthread_rwlock_trywrlock(&lock) == 0);
    pthread_rwlock_unlock(&lock);
    return 0;
}
