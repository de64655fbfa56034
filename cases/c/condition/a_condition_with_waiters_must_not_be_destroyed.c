//@ verdict: violated
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int is_waiting;

void *wait(void *unused) {
    pthread_mutex_lock(&lock);
    is_waiting = 1;
    while (is_waiting)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, wait, NULL);
    pthread_mutex_lock(&lock);
    if (is_waiting)
        pthread_cond_destroy(&changed);
    pthread_mutex_unlock(&lock);
    pthread_detach(t);
    pthread_exit(NULL);
}
