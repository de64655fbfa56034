//@ verdict: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *while_read(void *unused) {
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    return NULL;
}

void *while_written(void *unused) {
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&t, NULL, while_read, NULL);
    pthread_join(t, NULL);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    pthread_create(&t, NULL, while_written, NULL);
    pthread_join(t, NULL);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_destroy(&lock);
}
