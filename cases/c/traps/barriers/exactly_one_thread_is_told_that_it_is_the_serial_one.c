//@ verdict: holds
// One unspecified thread gets PTHREAD_BARRIER_SERIAL_THREAD and the others zero (POSIX,
// pthread_barrier_wait).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

pthread_barrier_t barrier;
atomic_int n_serial;

void *come(void *unused) {
    int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD)
        n_serial++;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&one, NULL, come, NULL);
    pthread_create(&two, NULL, come, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(n_serial == 1);
    return 0;
}
