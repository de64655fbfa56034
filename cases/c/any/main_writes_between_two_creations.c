//@ args: --threads any
//@ verdict: violated "data race"
// The second write comes when one worker is there. Fails with 1 thread beside main (N = 2).
#include <pthread.h>

#ifndef N
#define N 10000
#endif

int setting;

void *work(void *unused) {
    return setting ? &setting : 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++) {
        setting = 1;
        pthread_create(&thread, 0, work, 0);
    }
}
