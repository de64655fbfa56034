//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: the slots are told apart by the counter of the loop.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 64
#endif

int slots[N];

void *work(void *argument) {
    int *slot = argument;
    *slot = 1;
    assert(*slot == 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, 0, work, &slots[i]);
}
