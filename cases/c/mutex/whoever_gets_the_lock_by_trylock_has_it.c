//@ verdict: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int work;

void *try(void *unused) {
    int result = pthread_mutex_trylock(&lock);
    if (result == 0) {
        work++;
        pthread_mutex_unlock(&lock);
    } else {
        assert(result == EBUSY);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, try, NULL);
    pthread_create(&b, NULL, try, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(work == 1 || work == 2);
}
