//@ args: --threads any
//@ verdict: violated "data race"
// One thread of each round is told that it leads. Fails with 4 threads beside main.
#include <pthread.h>

int shared;
pthread_barrier_t barrier;

void *work(void *unused) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        shared = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
