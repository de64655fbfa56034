//@ args: --threads any
//@ verdict: holds
// Whoever takes the turn gives it to whoever comes: a semaphore has no owner.
#include <pthread.h>
#include <semaphore.h>

int shared;
sem_t ping, pong;
extern _Bool __VERIFIER_nondet_bool(void);

void *work(void *unused) {
    if (__VERIFIER_nondet_bool()) {
        sem_wait(&ping);
        shared++;
        sem_post(&pong);
    } else {
        sem_wait(&pong);
        shared--;
        sem_post(&ping);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    sem_init(&ping, 0, 1);
    sem_init(&pong, 0, 0);
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
