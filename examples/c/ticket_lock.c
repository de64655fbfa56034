//@ verdict: holds
//@ verdict with -O2: holds
//@ verdict with -DROUNDS=3: holds
// A ticket lock made of C11 atomics: draw a number, wait until it is called.
//
//     threadproof check examples/c/ticket_lock.c
//
// proves that no two threads are inside at once, that nothing races, and that nobody
// waits for ever with nobody left to call. The waiting loop may turn as often as it likes:
// its states repeat, so the search ends. -DROUNDS=3 makes the threads come back, and -O2
// checks the code as the optimiser leaves it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

atomic_uint next_ticket, now_serving;
int n_served; /* no atomic: the lock protects it */

void lock(void) {
    unsigned mine = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&now_serving) != mine)
        ;
}

void unlock(void) {
    atomic_store(&now_serving, atomic_load(&now_serving) + 1);
}

void *customer(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        lock();
        n_served++;
        unlock();
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, customer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(n_served == 3 * ROUNDS);
}
