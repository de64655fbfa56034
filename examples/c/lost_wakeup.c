//@ verdict: violated "deadlock"
//@ verdict with -DFIXED: holds
// A consumer that looks whether there is work, finds none, and goes to sleep. In between,
// the producer has put work there and has rung the bell, which nobody heard.
//
//     threadproof check examples/c/lost_wakeup.c
//
// shows that run: the consumer sleeps for ever. `has_work` is atomic, so this is no data
// race, and tools that look for races alone say nothing. With -DFIXED the consumer looks
// while it holds the lock, and the producer rings while it holds it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t bell = PTHREAD_COND_INITIALIZER;
atomic_int has_work;

void *produce(void *unused) {
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    has_work = 1;
    pthread_cond_signal(&bell);
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

void *consume(void *unused) {
    pthread_mutex_lock(&lock);
    while (!has_work)
        pthread_cond_wait(&bell, &lock);
    has_work = 0;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t producer, consumer;
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_create(&producer, NULL, produce, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
}
