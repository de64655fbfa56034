//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 1 thread beside main.
#include <pthread.h>

#ifndef N
#define N 64
#endif

int phase;

void *work(void *unused) {
    return phase ? &phase : 0;
}

int main(void) {
    pthread_t threads[N];
    for (int round = 0; round < 3; round++) {
        phase = round % 2;
        for (int i = 0; i < N; i++)
            pthread_create(&threads[i], 0, work, 0);
    }
}
