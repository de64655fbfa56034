//@ verdict: violated
// It is undefined to unlock a normal mutex that another thread holds (POSIX,
// pthread_mutex_unlock).
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *hold(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, hold, NULL);
    pthread_mutex_trylock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    return 0;
}
