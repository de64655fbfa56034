//@ verdict: violated "message == 1"
// After the time limit the call returns -1 (POSIX, sem_timedwait), and this thread does
// not look.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

sem_t ready;
atomic_int message;

void *tell(void *unused) {
    message = 1;
    sem_post(&ready);
    return NULL;
}

int main(void) {
    pthread_t one;
    struct timespec soon = {1, 0};
    sem_init(&ready, 0, 0);
    pthread_create(&one, NULL, tell, NULL);
    sem_timedwait(&ready, &soon);
    assert(message == 1);
    pthread_join(one, NULL);
    return 0;
}
