//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

int n_inside;
sem_t gate;

void *work(void *unused) {
    sem_wait(&gate);
    n_inside++;
    assert(n_inside == 1);
    n_inside--;
    sem_post(&gate);
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
