//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: it needs that the loop goes round at least once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 64
#endif

atomic_bool is_done;

void *work(void *unused) {
    is_done = 1;
    return 0;
}

int main(void) {
    pthread_t threads[N];
    int n = 0;
    do {
        pthread_create(&threads[n], 0, work, 0);
        n++;
    } while (n < N);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], 0);
    assert(is_done);
}
