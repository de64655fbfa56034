//@ verdict: violated "deadlock"
//@ verdict with -DSTUCK=1: violated "deadlock"
//@ verdict with -DSTUCK=2: violated "deadlock"
//@ verdict with --reduction global: violated "deadlock"
// One thread waits for ever, the others end, and `main` joins all: those before it in the
// array are joined when nobody goes on.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#ifndef STUCK
#define STUCK 0
#endif

sem_t never;

void *run(void *number) {
    if ((long)number == STUCK)
        sem_wait(&never);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    sem_init(&never, 0, 0);
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}
