//@ verdict with --property unreach-call: violated "assertion"
//@ verdict with --property unreach-call --reduction superstep: violated "assertion"
//@ verdict with --property unreach-call --reduction global: violated "assertion"
//@ verdict with --property unreach-call --rwlock writers: violated "assertion"
//@ verdict with --property unreach-call --rwlock readers: holds
//@ verdict with --property unreach-call -DTIMED: violated "assertion"
//@ verdict with --property unreach-call -DTIMED --rwlock readers: holds
//@ verdict with --property unreach-call -DALONE: holds
// Somebody reads, so another reader gets in, unless a writer waits and goes first.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *write(void *unused) {
#ifdef TIMED
    struct timespec soon = {0, 0};
    if (pthread_rwlock_timedwrlock(&lock, &soon) != 0)
        return NULL;
#elif defined ALONE
    pthread_rwlock_rdlock(&lock);
#else
    pthread_rwlock_wrlock(&lock);
#endif
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t id;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&id, NULL, write, NULL);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(id, NULL);
}
