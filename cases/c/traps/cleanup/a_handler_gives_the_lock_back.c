//@ verdict: holds
//@ verdict with -DPOPPED: violated
//@ verdict with -DPOPPED --property no-deadlock: violated
#include <pthread.h>

/* Whoever exits while a lock is held leaves the others waiting, unless a handler unlocks it. */
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    count++;
#ifndef POPPED
    pthread_exit(NULL);
#endif
    pthread_cleanup_pop(0);
    pthread_exit(NULL);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
