//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: a handle lies in shared memory and is compared.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
_Atomic(pthread_t) owner;
int shared;

void enter_and(int depth) {
    _Bool is_mine = pthread_equal(owner, pthread_self());
    if (!is_mine) {
        pthread_mutex_lock(&lock);
        owner = pthread_self();
    }
    shared++;
    if (depth > 0)
        enter_and(depth - 1);
    if (!is_mine) {
        owner = 0;
        pthread_mutex_unlock(&lock);
    }
}

void *work(void *unused) {
    enter_and(1);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
