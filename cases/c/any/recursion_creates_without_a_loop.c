//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main.
#include <pthread.h>

#ifndef N
#define N 10000
#endif

int shared;

void *work(void *unused) {
    shared = 1;
    return 0;
}

void spawn(int n) {
    pthread_t thread;
    if (n == 0)
        return;
    pthread_create(&thread, 0, work, 0);
    spawn(n - 1);
}

int main(void) {
    spawn(N);
}
