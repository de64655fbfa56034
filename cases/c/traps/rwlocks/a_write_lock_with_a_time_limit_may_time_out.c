//@ verdict: violated "== 0"
// If a reader does not leave in time, the call fails (POSIX, pthread_rwlock_timedwrlock).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *write_it(void *unused) {
    struct timespec soon = {1, 0};
    assert(pthread_rwlock_timedwrlock(&lock, &soon) == 0);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_it, NULL);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(one, NULL);
    return 0;
}
