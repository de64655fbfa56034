//@ verdict: holds
// The destructor runs in the thread that owns the mutex (POSIX, pthread_key_create), so
// it may unlock it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_key_t key;
int n;

void destroy(void *value) {
    pthread_mutex_unlock(value);
}

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_setspecific(key, &lock);
    n++;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_key_create(&key, destroy);
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(n == 2);
    return 0;
}
