//@ verdict: violated "deadlock"
// Two locks, taken in opposite order.
#include <pthread.h>
#include <stddef.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *a_first(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

void *b_first(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t x, y;
    pthread_create(&x, NULL, a_first, NULL);
    pthread_create(&y, NULL, b_first, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
}
