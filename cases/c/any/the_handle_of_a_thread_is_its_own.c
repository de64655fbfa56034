//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// Behind the mutex a worker finds its handle where main put it.
// May be unknown: a handle lies in shared memory and is compared.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_t newest;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    _Bool is_newest = pthread_equal(newest, pthread_self());
    pthread_mutex_unlock(&lock);
    assert(is_newest || !is_newest);
    return 0;
}

int main(void) {
    for (int i = 0, n = N; i < n; i++) {
        pthread_mutex_lock(&lock);
        pthread_create(&newest, 0, work, 0);
        pthread_mutex_unlock(&lock);
    }
}
