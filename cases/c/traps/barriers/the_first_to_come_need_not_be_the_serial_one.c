//@ args: --property unreach-call
//@ verdict: violated "is_serial"
// Which thread is told is unspecified (POSIX, pthread_barrier_wait).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_barrier_t barrier;

void *come(void *unused) {
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&one, NULL, come, NULL);
    int is_serial = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    assert(is_serial);
    pthread_join(one, NULL);
    return 0;
}
