//@ args: --threads any
//@ verdict: holds
// EDEADLK is for the owner alone: the others wait.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t lock;

void *work(void *unused) {
    int result = pthread_mutex_lock(&lock);
    assert(result != EDEADLK);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &kind);
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
