//@ verdict: violated "deadlock"
#include <pthread.h>

pthread_barrier_t barrier;

void *arrive(void *unused) {
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&t, NULL, arrive, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(t, NULL);
}
