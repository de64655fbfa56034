//@ args: --threads any
//@ verdict: holds
// Two threads do not come past a barrier of three.
// May be unknown: the bound of the loop matters.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;

void *work(void *unused) {
    pthread_barrier_wait(&barrier);
    assert(0);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 3);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread, 0, work, 0);
}
