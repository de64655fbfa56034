//@ verdict: violated "is unlocked by a thread that does not hold it"
#include <pthread.h>
#include <semaphore.h>

/* The second unlock would take the lock from another reader. */
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t reads, done;

static void *read_long(void *arg) {
    pthread_rwlock_rdlock(&lock);
    sem_post(&reads);
    sem_wait(&done);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&reads, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, read_long, NULL);
    sem_wait(&reads);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    sem_post(&done);
    pthread_join(thread, NULL);
    return 0;
}
