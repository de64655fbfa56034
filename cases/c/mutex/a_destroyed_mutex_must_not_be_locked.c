//@ verdict: violated "destroyed"
// Main does not wait for the other thread before it destroys the lock.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *use(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, use, NULL);
    pthread_mutex_destroy(&lock);
    pthread_join(t, NULL);
}
