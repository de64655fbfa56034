//@ verdict: violated "deadlock"
//@ verdict with -DWAKE=pthread_cond_broadcast: holds
// A consumer's signal may wake the other consumer instead of the producer.
#include <pthread.h>

#ifndef WAKE
#define WAKE pthread_cond_signal
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int n_items;

void *consume(void *unused) {
    pthread_mutex_lock(&lock);
    while (n_items == 0)
        pthread_cond_wait(&changed, &lock);
    n_items--;
    WAKE(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, consume, NULL);
    pthread_create(&b, NULL, consume, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        while (n_items == 1)
            pthread_cond_wait(&changed, &lock);
        n_items++;
        WAKE(&changed);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
