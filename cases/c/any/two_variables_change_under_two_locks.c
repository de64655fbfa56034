//@ args: --threads any
//@ verdict: violated "first == right"
// Fails with 2 threads beside main.
#include <assert.h>
#include <pthread.h>

_Bool left, right;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    _Bool first = left;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(first == right);
    left = !left;
    right = !right;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
