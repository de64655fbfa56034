//@ verdict: violated "data race"
// If the second thread has the lock first, nothing orders the two writes.
#include <pthread.h>
#include <stddef.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;

void *before(void *unused) {
    x = 1;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *after(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    x = 2;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, before, NULL);
    pthread_create(&b, NULL, after, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
