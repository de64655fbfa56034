//@ args: --threads any
//@ verdict: holds
// The others do not ask for the lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

atomic_bool asks[2];
atomic_int turn;
int shared;

void work(int me) {
    asks[me] = 1;
    turn = !me;
    while (asks[!me] && turn == !me)
        ;
    shared++;
    asks[me] = 0;
}

void *left(void *unused) {
    work(0);
    return 0;
}

void *right(void *unused) {
    work(1);
    return 0;
}

void *look(void *unused) {
    int seen = turn;
    assert(seen == 0 || seen == 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, left, 0);
    pthread_create(&thread, 0, right, 0);
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, look, 0);
}
