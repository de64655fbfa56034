//@ verdict: violated "data race"
// A try that fails with EAGAIN has not decremented the semaphore (POSIX, sem_trywait) and
// synchronises with nobody.
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
    if (sem_trywait(&ready) != 0)
        assert(message >= 0);
    pthread_join(one, NULL);
    return 0;
}
