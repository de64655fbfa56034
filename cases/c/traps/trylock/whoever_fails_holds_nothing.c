//@ verdict: violated "data race"
// A try that fails leaves the mutex with its owner (POSIX, pthread_mutex_trylock); this
// thread does not look at the result.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int n;

void *count(void *unused) {
    int result = pthread_mutex_trylock(&lock);
    n++;
    if (result == 0)
        pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, count, NULL);
    pthread_create(&two, NULL, count, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
