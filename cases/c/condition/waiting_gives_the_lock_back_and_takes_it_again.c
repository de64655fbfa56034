//@ verdict: holds
// While main waits, the other thread has the lock; after the wait main has it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int phase;

void *other(void *unused) {
    pthread_mutex_lock(&lock);
    phase = 1;
    pthread_cond_broadcast(&changed);
    while (phase == 1)
        pthread_cond_wait(&changed, &lock);
    assert(phase == 2);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&lock);
    pthread_create(&t, NULL, other, NULL);
    while (phase == 0)
        pthread_cond_wait(&changed, &lock);
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    phase = 2;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
}
