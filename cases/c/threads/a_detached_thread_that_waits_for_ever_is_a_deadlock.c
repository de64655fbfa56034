//@ verdict: violated "deadlock"
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

sem_t never;

void *wait(void *unused) {
    sem_wait(&never);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&never, 0, 0);
    pthread_create(&t, NULL, wait, NULL);
    pthread_detach(t);
    pthread_exit(NULL);
}
