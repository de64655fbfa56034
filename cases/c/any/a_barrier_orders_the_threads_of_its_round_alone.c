//@ args: --threads any
//@ verdict: violated "data race"
// Two are past the barrier, the third one is not yet there. Fails with 3 threads beside
// main.
#include <pthread.h>

int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_barrier_t barrier;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    shared = 1;
    pthread_mutex_unlock(&lock);
    pthread_barrier_wait(&barrier);
    return shared ? &shared : 0;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
