//@ args: --property termination
//@ verdict: holds
// `exit` ends the process (C11 7.22.4.4), though `main` waits for a semaphore that nobody
// posts.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

sem_t never;

void *leave(void *unused) {
    exit(0);
}

int main(void) {
    pthread_t one;
    sem_init(&never, 0, 0);
    pthread_create(&one, NULL, leave, NULL);
    sem_wait(&never);
    pthread_join(one, NULL);
    return 0;
}
