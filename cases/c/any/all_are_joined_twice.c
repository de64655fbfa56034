//@ args: --threads any
//@ verdict: violated "join"
// Fails with 1 thread beside main.
#include <pthread.h>

#ifndef N
#define N 64
#endif

void *work(void *unused) {
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
}
