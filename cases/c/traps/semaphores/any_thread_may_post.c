//@ verdict: holds
// A semaphore has no owner (POSIX, sem_post): one thread waits and the other one posts.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

sem_t mine, yours;
int turns;

void *pong(void *unused) {
    sem_wait(&yours);
    turns++;
    sem_post(&mine);
    return NULL;
}

int main(void) {
    pthread_t one;
    sem_init(&mine, 0, 0);
    sem_init(&yours, 0, 0);
    pthread_create(&one, NULL, pong, NULL);
    turns++;
    sem_post(&yours);
    sem_wait(&mine);
    assert(turns == 2);
    pthread_join(one, NULL);
    return 0;
}
