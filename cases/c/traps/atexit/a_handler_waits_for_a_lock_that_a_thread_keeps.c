//@ verdict: violated "deadlock"
// The handler runs before the other threads are ended (C11 7.22.4.4), and this one ended
// with the mutex locked.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void last(void) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

void *keep(void *unused) {
    pthread_mutex_lock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one;
    atexit(last);
    pthread_create(&one, NULL, keep, NULL);
    pthread_join(one, NULL);
    return 0;
}
