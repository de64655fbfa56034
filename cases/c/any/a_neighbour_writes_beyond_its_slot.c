//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main.
#include <pthread.h>

#ifndef N
#define N 64
#endif

int slots[N + 1];

void *work(void *argument) {
    int *slot = argument;
    slot[0] = 1;
    slot[1] = 2;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, 0, work, &slots[i]);
}
