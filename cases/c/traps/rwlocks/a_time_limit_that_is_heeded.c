//@ verdict: holds
// Whoever timed out holds nothing (POSIX, pthread_rwlock_timedwrlock) and must not
// unlock.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int n;

void *write_it(void *unused) {
    struct timespec soon = {1, 0};
    if (pthread_rwlock_timedwrlock(&lock, &soon) == 0) {
        n++;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_it, NULL);
    pthread_rwlock_rdlock(&lock);
    assert(n <= 1);
    pthread_rwlock_unlock(&lock);
    pthread_join(one, NULL);
    return 0;
}
