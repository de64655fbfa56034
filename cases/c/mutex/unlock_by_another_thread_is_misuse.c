//@ verdict: violated "mutex `lock`"
//@ verdict with --property no-deadlock: unknown
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *unlock(void *unused) {
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&lock);
    pthread_create(&t, NULL, unlock, NULL);
    pthread_join(t, NULL);
}
