//@ args: --threads any
//@ verdict: violated "is_done"
// May be unknown: the run has 10,000 threads.
// Fails with 0 threads beside main, if the loop may end at once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 10000
#endif

atomic_bool is_done;

void *work(void *unused) {
    is_done = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, 0, work, 0);
    assert(is_done);
}
