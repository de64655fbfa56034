//@ verdict: holds
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *leave(void *unused) {
    exit(0);
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&lock);
    pthread_create(&t, NULL, leave, NULL);
    pthread_join(t, NULL);
    pthread_mutex_lock(&lock);
}
