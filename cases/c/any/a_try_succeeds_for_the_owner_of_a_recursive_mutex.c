//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock;

void *work(void *unused) {
    if (pthread_mutex_trylock(&lock) == 0) {
        assert(pthread_mutex_trylock(&lock) == 0);
        pthread_mutex_unlock(&lock);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
