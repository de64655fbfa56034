//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>

_Bool is_inside;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t bell = PTHREAD_COND_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&bell);
    pthread_cond_wait(&bell, &lock);
    assert(!is_inside);
    is_inside = 1;
    is_inside = 0;
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
