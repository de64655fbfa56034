//@ verdict: violated "deadlock"
// Each of three threads holds the lock that the next one wants; the fourth never ends.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t locks[3] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
};
atomic_int clock_hand;

void *eat(void *seat) {
    long left = (long)seat, right = (left + 1) % 3;
    pthread_mutex_lock(&locks[left]);
    pthread_mutex_lock(&locks[right]);
    pthread_mutex_unlock(&locks[right]);
    pthread_mutex_unlock(&locks[left]);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (long seat = 0; seat < 3; seat++)
        pthread_create(&threads[seat], NULL, eat, (void *)seat);
    for (;;)
        atomic_store(&clock_hand, !atomic_load(&clock_hand));
}
