//@ verdict: holds
// One signal is enough if everybody who passes signals on (POSIX, pthread_cond_signal).
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int is_open;

void *pass(void *unused) {
    pthread_mutex_lock(&lock);
    while (!is_open)
        pthread_cond_wait(&changed, &lock);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, pass, NULL);
    pthread_create(&two, NULL, pass, NULL);
    pthread_mutex_lock(&lock);
    is_open = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
