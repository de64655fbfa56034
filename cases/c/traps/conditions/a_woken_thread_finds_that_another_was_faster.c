//@ args: --property unreach-call --no-spurious
//@ verdict: violated "n_items"
// Between the signal and the return of the wait a third thread may take the mutex and the
// item (POSIX, pthread_cond_signal, rationale), even without spurious wake-ups.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int n_items;

void *take(void *unused) {
    pthread_mutex_lock(&lock);
    if (n_items == 0)
        pthread_cond_wait(&changed, &lock);
    assert(n_items > 0);
    n_items--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *take_if_any(void *unused) {
    pthread_mutex_lock(&lock);
    if (n_items > 0)
        n_items--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, take, NULL);
    pthread_create(&two, NULL, take_if_any, NULL);
    pthread_mutex_lock(&lock);
    n_items = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
