//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void up(void) {
    shared = 1;
}

static void down(void) {
    shared = 0;
}

void *work(void *argument) {
    void (*act)(void) = argument ? up : down;
    pthread_mutex_lock(&lock);
    act();
    assert(shared == (act == up));
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++) {
        pthread_create(&thread, 0, work, &shared);
        pthread_create(&thread, 0, work, 0);
    }
}
