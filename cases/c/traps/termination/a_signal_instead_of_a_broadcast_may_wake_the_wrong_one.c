//@ args: --property termination
//@ verdict: violated
// Two threads wait for different things on one condition variable, and the signal may
// wake the one who cannot go on (POSIX, pthread_cond_signal).
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int turn;

void *play(void *argument) {
    int me = *(int *)argument;
    pthread_mutex_lock(&lock);
    while (turn != me)
        pthread_cond_wait(&changed, &lock);
    turn++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    int first = 1, second = 2;
    pthread_create(&one, NULL, play, &first);
    pthread_create(&two, NULL, play, &second);
    pthread_mutex_lock(&lock);
    turn = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
