//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t gate;

void *work(void *unused) {
    int value;
    sem_wait(&gate);
    sem_getvalue(&gate, &value);
    assert(value == 0);
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
