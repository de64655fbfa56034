//@ verdict: holds
// When the threads are released, the barrier is reset to its initial state (POSIX,
// pthread_barrier_wait).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_barrier_t barrier;
int cells[2][2];

void *work(void *unused) {
    for (int round = 0; round < 2; round++) {
        cells[round][0] = 1;
        pthread_barrier_wait(&barrier);
        assert(cells[round][1] == 1);
    }
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&one, NULL, work, NULL);
    for (int round = 0; round < 2; round++) {
        cells[round][1] = 1;
        pthread_barrier_wait(&barrier);
        assert(cells[round][0] == 1);
    }
    pthread_join(one, NULL);
    return 0;
}
