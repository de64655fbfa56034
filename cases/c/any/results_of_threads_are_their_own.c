//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: what a thread returned is found by its handle.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 64
#endif

void *work(void *argument) {
    return argument;
}

int main(void) {
    pthread_t threads[N];
    void *result;
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, work, &threads[0]);
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], &result);
        assert(result == &threads[0]);
    }
}
