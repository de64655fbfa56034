//@ args: --threads any
//@ verdict: violated "unlock"
// The classic lock for readers and writers, with a mutex that needs a semaphore: who locked
// it is not who unlocks it. Fails with 2 threads beside main.
#include <pthread.h>

int n_readers;
pthread_mutex_t count = PTHREAD_MUTEX_INITIALIZER, room = PTHREAD_MUTEX_INITIALIZER;

void *read(void *unused) {
    pthread_mutex_lock(&count);
    if (n_readers++ == 0)
        pthread_mutex_lock(&room);
    pthread_mutex_unlock(&count);
    pthread_mutex_lock(&count);
    if (--n_readers == 0)
        pthread_mutex_unlock(&room);
    pthread_mutex_unlock(&count);
    return 0;
}

int main(void) {
    pthread_t thread;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, read, 0);
}
