//@ args: --threads any
//@ verdict: violated "past"
// Fails with 3 threads beside main.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;

void *work(void *unused) {
    pthread_barrier_wait(&barrier);
    assert(!"past");
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 3);
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
