//@ args: --threads any
//@ verdict: violated
// Main joins one thread twice. Fails with 2 threads beside main.
#include <pthread.h>

#ifndef N
#define N 64
#endif

void *work(void *unused) {
    return 0;
}

void tidy(pthread_t *threads) {
    threads[N - 1] = threads[0];
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, work, 0);
    tidy(threads);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
}
