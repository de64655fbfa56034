//@ verdict with -DN=2: holds
//@ verdict with -DN=4: holds
//@ verdict with -DN=2 -DDEADLOCK: violated "deadlock"
//@ verdict with -DN=7 -DDEADLOCK: violated "deadlock"
// N dining philosophers who never stop. Each takes the fork with the lower number first;
// with -DDEADLOCK the left one, so that all may wait for each other.
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

pthread_mutex_t forks[N];

void *philosopher(void *argument) {
    int left = (int)(long)argument, right = (left + 1) % N;
#ifndef DEADLOCK
    if (right < left) {
        int lower = right;
        right = left;
        left = lower;
    }
#endif
    for (;;) {
        pthread_mutex_lock(&forks[left]);
        pthread_mutex_lock(&forks[right]);
        pthread_mutex_unlock(&forks[right]);
        pthread_mutex_unlock(&forks[left]);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
}
