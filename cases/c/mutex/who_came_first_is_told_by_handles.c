//@ verdict: violated "pthread_equal(first, a)"
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int has_first;
pthread_t first;

void *enter(void *unused) {
    pthread_mutex_lock(&lock);
    if (!has_first) {
        has_first = 1;
        first = pthread_self();
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(pthread_equal(first, a));
}
