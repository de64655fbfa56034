//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main: the first one posts, and goes in with the second.
#include <pthread.h>
#include <semaphore.h>

int shared;
sem_t gate;

void *work(void *unused) {
    sem_post(&gate);
    sem_wait(&gate);
    shared = 1;
    sem_post(&gate);
    return 0;
}

int main(void) {
    pthread_t thread;
    sem_init(&gate, 0, 0);
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
