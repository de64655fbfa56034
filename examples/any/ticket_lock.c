//@ verdict with -DN=3: holds
//@ verdict with -DN=4 -DBROKEN: violated
//@ verdict with -DN=3 -DBROKEN: holds
// Not all of it is decided yet for any number of threads: where a claim below has no verdict
// line above, today's answer is UNKNOWN.
//
// A ticket lock like the one at the baker's: the numbers on the roll come again, after 2
// comes 0. A customer first looks whether the next number is still held by somebody, and
// waits if it is.
//
//     threadproof check examples/any/ticket_lock.c --threads any
//
// proves that one customer is served at a time. With -DBROKEN nobody looks. Three customers
// are fine; the fourth one draws the number of the first.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define NUMBERS 3

/* Both in one word, so that whoever draws a number has looked at both. */
struct roll {
    unsigned char next, serving;
};
_Atomic(struct roll) roll;
int n_served_now; /* not atomic: the lock protects it */

void lock(void) {
    struct roll seen = atomic_load(&roll), drawn;
    do {
#ifndef BROKEN
        while ((seen.next + 1) % NUMBERS == seen.serving)
            seen = atomic_load(&roll);
#endif
        drawn = (struct roll){.next = (seen.next + 1) % NUMBERS, .serving = seen.serving};
    } while (!atomic_compare_exchange_weak(&roll, &seen, drawn));
    unsigned char mine = seen.next;
    do
        seen = atomic_load(&roll);
    while (seen.serving != mine);
}

void unlock(void) {
    struct roll seen = atomic_load(&roll), called;
    do
        called = (struct roll){.next = seen.next, .serving = (seen.serving + 1) % NUMBERS};
    while (!atomic_compare_exchange_weak(&roll, &seen, called));
}

void *customer(void *unused) {
    lock();
    n_served_now++;
    n_served_now--;
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
        pthread_create(&thread, NULL, customer, NULL);
}
