//@ verdict with --abstraction parity: unknown "holds under the abstraction `parity`"
//@ verdict with --abstraction parity -DROUNDS=1: holds
//@ verdict with --abstraction everything -DROUNDS=1: holds
//@ verdict with --abstraction parity -DBUG: violated "count"
//@ verdict with --abstraction parity -DBUG --order dfs: violated "count"
//@ verdict with --abstraction parity -DHIDDEN --reduction global: unknown "holds under the abstraction `parity`"
//@ verdict with -DHIDDEN: violated "count != 40"
// The counter matters by its parity alone, so one round of the loop stands for all. An
// error that only the others can show is missed, which the answer owns up to.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 50
#endif

atomic_int count;
int is_odd, copy;

void parity(void) {
    is_odd = count % 2;
}

void everything(void) {
    copy = count;
}

void *work(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        count++;
#ifdef BUG
        assert(count % 2 == 0);
#endif
#ifdef HIDDEN
        assert(count != 40);
#endif
        count--;
        if (i == 40)
            count = 39;
    }
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
}
