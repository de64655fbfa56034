//@ verdict: violated "deadlock"
//@ verdict with -DORDERED: holds
//@ verdict with -DORDERED -DN=4: holds
// Dining philosophers: N forks, N philosophers, and each needs the two forks beside it.
//
//     threadproof check examples/c/philosophers.c
//
// shows the famous deadlock: each holds its left fork and waits for the right one.
//
//     threadproof check examples/c/philosophers.c -DORDERED -DN=4
//
// proves that it cannot happen if the lower fork is always taken first. Philosophers never
// stop eating here, so the program never ends; the search does all the same.
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

pthread_mutex_t forks[N];

void *philosopher(void *argument) {
    int left = (int)(long)argument, right = (left + 1) % N;
    int first = left, second = right;
#ifdef ORDERED
    if (right < left) {
        first = right;
        second = left;
    }
#endif
    for (;;) {
        pthread_mutex_lock(&forks[first]);
        pthread_mutex_lock(&forks[second]);
        /* eat */
        pthread_mutex_unlock(&forks[second]);
        pthread_mutex_unlock(&forks[first]);
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
