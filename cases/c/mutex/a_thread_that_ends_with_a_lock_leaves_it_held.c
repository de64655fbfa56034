//@ verdict: violated "deadlock"
#include <pthread.h>
#include <stddef.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *forget(void *unused) {
    pthread_mutex_lock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, forget, NULL);
    pthread_join(t, NULL);
    pthread_mutex_lock(&lock);
}
