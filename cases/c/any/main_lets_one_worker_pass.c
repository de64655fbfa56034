//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int shared;
sem_t gate;

void *work(void *unused) {
    sem_wait(&gate);
    shared++;
    assert(shared == 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    sem_init(&gate, 0, 0);
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
    sem_post(&gate);
    pthread_exit(0);
}
