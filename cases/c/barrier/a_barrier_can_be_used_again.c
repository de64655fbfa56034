//@ verdict: holds
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int turn;

void *work(void *argument) {
    long me = (long)argument;
    for (int round = 0; round < 4; round++) {
        if (round % 2 == me)
            turn = round;
        pthread_barrier_wait(&barrier);
        assert(turn == round);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, work, (void *)1);
    work((void *)0);
    pthread_join(t, NULL);
}
