//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: the join of all is in a loop.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 64
#endif

int phase;

void *work(void *unused) {
    assert(phase == 0 || phase == 1);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (int round = 0; round < 3; round++) {
        phase = round % 2;
        for (int i = 0; i < N; i++)
            pthread_create(&threads[i], 0, work, 0);
        for (int i = 0; i < N; i++)
            pthread_join(threads[i], 0);
    }
}
