//@ verdict with --threads any: holds
//@ verdict with --threads any -DBROKEN: violated
//@ verdict with -DN=3: holds
//@ verdict with -DN=3 -DBROKEN: violated
//@ verdict with -DN=2 -DBROKEN: holds
// A spinlock made of one atomic exchange, and workers that give up if they do not get it.
//
//     threadproof check examples/any/spinlock.c --threads any
//
// proves that no two of them are ever inside, however many there are. -DBROKEN is a slip in
// tidying up: whoever leaves opens the lock, also who never got it. With one worker nothing
// happens, and with two neither: the one that was turned away opens the door for nobody. It
// takes three: one inside, one that is turned away, one that comes in. -DN=3 makes three
// workers, instead of any number.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

atomic_bool is_locked;
int n_inside; /* not atomic: the lock protects it */

bool try_lock(void) {
    return !atomic_exchange(&is_locked, true);
}

void unlock(void) {
    atomic_store(&is_locked, false);
}

void *work(void *unused) {
    bool is_mine = try_lock();
    if (is_mine) {
        n_inside++;
        n_inside--;
    }
#ifndef BROKEN
    if (is_mine)
#endif
        unlock();
    return NULL;
}

int main(void) {
    pthread_t thread;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, NULL, work, NULL);
}
