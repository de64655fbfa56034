//@ verdict: violated "data race on `is_open`"
#include <pthread.h>
#include <stddef.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int is_open;

int wait(void) {
    pthread_mutex_lock(&lock);
    while (!is_open)
        pthread_cond_wait(&changed, &lock);
    return pthread_mutex_unlock(&lock);
}

void *open_it(void *unused) {
    is_open = 1;
    pthread_cond_signal(&changed);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, open_it, NULL);
    wait();
    pthread_join(t, NULL);
}
