//@ args: --threads any
//@ verdict: holds
// May be unknown: it needs the join of all.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N 64
#endif

void *work(void *argument) {
    assert(*(int *)argument == 7);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    int *shared = malloc(sizeof *shared);
    *shared = 7;
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, work, shared);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    free(shared);
}
