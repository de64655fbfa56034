//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 1 thread beside main.
#include <pthread.h>

#ifndef N
#define N 64
#endif

int slots[N];

void *work(void *argument) {
    int *slot = argument;
    *slot = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++) {
        pthread_create(&thread, 0, work, &slots[i]);
        slots[i] = 0;
    }
}
