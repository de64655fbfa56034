//@ verdict: holds
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t filled, empty;
int slot;

void *produce(void *unused) {
    for (int i = 1; i <= 3; i++) {
        sem_wait(&empty);
        slot = i;
        sem_post(&filled);
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&filled, 0, 0);
    sem_init(&empty, 0, 1);
    pthread_create(&t, NULL, produce, NULL);
    for (int i = 1; i <= 3; i++) {
        sem_wait(&filled);
        assert(slot == i);
        sem_post(&empty);
    }
    pthread_join(t, NULL);
}
