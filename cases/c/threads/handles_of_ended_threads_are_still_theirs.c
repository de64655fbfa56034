//@ verdict: holds
#include <assert.h>
#include <pthread.h>

pthread_t handles[2];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int n_registered;

void *note(void *unused) {
    pthread_mutex_lock(&lock);
    handles[n_registered++] = pthread_self();
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, note, NULL);
    pthread_create(&b, NULL, note, NULL);
    while (1) {
        pthread_mutex_lock(&lock);
        int n = n_registered;
        pthread_mutex_unlock(&lock);
        if (n == 2)
            break;
    }
    assert(pthread_equal(handles[0], a) != pthread_equal(handles[0], b));
    assert(pthread_equal(handles[1], a) != pthread_equal(handles[1], b));
    assert(!pthread_equal(handles[0], handles[1]));
    pthread_join(handles[0], NULL);
    pthread_join(handles[1], NULL);
}
