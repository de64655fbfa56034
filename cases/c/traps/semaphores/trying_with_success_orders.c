//@ verdict: holds
// A try that returns zero has decremented the semaphore like a wait (POSIX, sem_trywait).
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

sem_t ready;
int message;

void *tell(void *unused) {
    message = 1;
    sem_post(&ready);
    return NULL;
}

int main(void) {
    pthread_t one;
    sem_init(&ready, 0, 0);
    pthread_create(&one, NULL, tell, NULL);
    if (sem_trywait(&ready) == 0)
        assert(message == 1);
    pthread_join(one, NULL);
    return 0;
}
