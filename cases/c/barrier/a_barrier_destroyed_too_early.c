//@ verdict: violated
// The other thread may not have come to the barrier yet, or may still be in it.
#include <pthread.h>
#include <stddef.h>

pthread_barrier_t barrier;

void *arrive(void *unused) {
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, arrive, NULL);
    pthread_barrier_destroy(&barrier);
    pthread_join(t, NULL);
}
