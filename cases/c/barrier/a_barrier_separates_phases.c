//@ verdict: holds
// Each thread writes its own number before the barrier and reads the other's after.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int numbers[2];
int n_serial[2];

void *work(void *argument) {
    long me = (long)argument;
    numbers[me] = 10 + me;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        n_serial[me] = 1;
    assert(numbers[1 - me] == 11 - me);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, work, (void *)1);
    work((void *)0);
    pthread_join(t, NULL);
    assert(n_serial[0] + n_serial[1] == 1);
    pthread_barrier_destroy(&barrier);
}
