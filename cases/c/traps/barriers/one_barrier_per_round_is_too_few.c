//@ verdict: violated "data race"
// A fast thread writes the cell of the next round while a slow one still reads that of
// the last; a second wait would keep them apart.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_barrier_t barrier;
int cell;

void *work(void *unused) {
    pthread_barrier_wait(&barrier);
    assert(cell >= 0);
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&one, NULL, work, NULL);
    for (int round = 1; round <= 2; round++) {
        cell = round;
        pthread_barrier_wait(&barrier);
    }
    pthread_join(one, NULL);
    return 0;
}
