//@ verdict: violated "data race"
#include <pthread.h>
#include <semaphore.h>

sem_t token;
int counter;

void *add(void *unused) {
    sem_wait(&token);
    counter++;
    sem_post(&token);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&token, 0, 2);
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
