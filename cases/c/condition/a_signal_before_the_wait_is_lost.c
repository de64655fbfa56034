//@ verdict: violated "deadlock"
//@ verdict with --no-spurious: violated "deadlock"
//@ verdict with --property unreach-call: holds
// A wake-up for no reason may come, but nobody may count on it.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *wake(void *unused) {
    pthread_cond_signal(&changed);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, wake, NULL);
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
}
