//@ verdict: violated "data race"
// Every post counts (POSIX, sem_post), also one that was not preceded by a wait.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

sem_t room;
int n;

void *count(void *unused) {
    sem_wait(&room);
    n++;
    sem_post(&room);
    sem_post(&room);
    return NULL;
}

int main(void) {
    pthread_t one, two, three;
    sem_init(&room, 0, 1);
    pthread_create(&one, NULL, count, NULL);
    pthread_create(&two, NULL, count, NULL);
    pthread_create(&three, NULL, count, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_join(three, NULL);
    return 0;
}
