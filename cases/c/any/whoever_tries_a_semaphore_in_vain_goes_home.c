//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
#include <pthread.h>
#include <semaphore.h>

int shared;
sem_t gate;

void *work(void *unused) {
    if (sem_trywait(&gate) == 0) {
        shared++;
        sem_post(&gate);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    sem_init(&gate, 0, 1);
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
