//@ verdict: violated "is unlocked by a thread that does not hold it"
//@ rule: mutex-misuse
#include <pthread.h>

/* POSIX: unlocking a lock that the calling thread does not hold is undefined, even while
   another thread reads. */
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *unlock(void *arg) {
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&thread, NULL, unlock, NULL);
    pthread_join(thread, NULL);
    return 0;
}
