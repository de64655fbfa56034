//@ verdict with --property termination: holds
//@ verdict with --property termination --reduction global: holds
//@ verdict with --property termination --reduction none: holds
//@ verdict with --property termination -DTIMED: violated
//@ verdict with --property termination -DUNHEARD: violated
//@ verdict with --property termination -DUNHEARD --reduction global: violated
//@ verdict with --property termination -DUNHEARD -DTIMED: violated
//@ verdict with --property termination -DECHO: violated
//@ verdict with --property termination -DECHO --reduction none: violated
//@ verdict with --ltl 'F (ready == 1)': violated
//@ verdict with --ltl 'F (ready == 1)' --fairness weak: holds
// A waiter may wake up for no reason, but not for ever. Time may run out for ever, and the
// mutex promises nobody a turn. Whom nobody wakes waits for ever,
// or times out again and again; two who wake each other for nothing go on for ever.
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;

void await(void) {
    pthread_mutex_lock(&lock);
    while (!ready) {
#ifdef ECHO
        pthread_cond_broadcast(&changed);
#endif
#ifdef TIMED
        struct timespec soon = {0, 0};
        pthread_cond_timedwait(&changed, &lock, &soon);
#else
        pthread_cond_wait(&changed, &lock);
#endif
    }
    pthread_mutex_unlock(&lock);
}

void *tell(void *unused) {
#ifdef ECHO
    await();
#else
    pthread_mutex_lock(&lock);
#ifndef UNHEARD
    ready = 1;
#endif
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, NULL, tell, NULL);
    await();
    pthread_join(id, NULL);
}
