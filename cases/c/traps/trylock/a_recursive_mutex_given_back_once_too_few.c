//@ verdict: violated "deadlock"
// The count is still one when the thread ends (POSIX, pthread_mutex_lock), so nobody else
// ever gets the mutex.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock;

void *take(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
    pthread_create(&one, NULL, take, NULL);
    pthread_join(one, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
