//@ args: --property unreach-call
//@ verdict: violated "is_serial"
// Which thread is told is unspecified (POSIX, pthread_barrier_wait), not the one that
// came last.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

pthread_barrier_t barrier;
atomic_int n_arrived;

void *come(void *unused) {
    int is_last = ++n_arrived == 2;
    int is_serial = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    if (is_last)
        assert(is_serial);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&one, NULL, come, NULL);
    pthread_create(&two, NULL, come, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
