//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: the count has no bound but the number of threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 10000
#endif

atomic_uint n_inside;

void *work(void *unused) {
    atomic_fetch_add(&n_inside, 1);
    assert(n_inside >= 1);
    atomic_fetch_sub(&n_inside, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, 0, work, 0);
}
