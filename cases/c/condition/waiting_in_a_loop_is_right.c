//@ verdict: holds
//@ verdict with --no-spurious: holds
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int is_ready, value;

void *produce(void *unused) {
    pthread_mutex_lock(&lock);
    value = 7;
    is_ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, produce, NULL);
    pthread_mutex_lock(&lock);
    while (!is_ready)
        pthread_cond_wait(&changed, &lock);
    assert(value == 7);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
}
