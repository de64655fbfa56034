//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

atomic_bool asks[2];
atomic_int turn;
int shared;
extern _Bool __VERIFIER_nondet_bool(void);

void *work(void *unused) {
    int me = __VERIFIER_nondet_bool();
    asks[me] = 1;
    turn = !me;
    while (asks[!me] && turn == !me)
        ;
    shared++;
    asks[me] = 0;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
}
