//@ verdict with --property unreach-call -O2: holds
//@ verdict with --property unreach-call -O2 -DROUNDS=0: holds
//@ verdict with --property unreach-call -O2 -DBUG: violated "counter == 2 * ROUNDS"
//@ verdict with --property unreach-call -DBUG: holds
// The algorithm of Peterson, as it was once found on the web and checked by pancam: two
// threads exclude each other, ROUNDS times or for ever (-DROUNDS=0). `volatile` keeps every
// access where it is written. With -DBUG it is missing, and the optimiser, which knows of one
// thread only, moves accesses out of the section in which the thread is alone.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifdef BUG
#define SHARED
#else
#define SHARED volatile
#endif

SHARED int wants[2], last;
SHARED int counter;

static void lock(int me) {
    wants[me] = 1;
    last = me;
    while (wants[1 - me] && last == me)
        ;
}

static void unlock(int me) { wants[me] = 0; }

static void count(void) {
    counter++;
    if (ROUNDS == 0) {
        assert(counter == 1);
        counter--;
    }
}

static void take_turns(int me) {
    for (int round = 0; ROUNDS == 0 || round < ROUNDS; round += ROUNDS > 0) {
        lock(me);
        count();
        unlock(me);
    }
}

void *left(void *unused) {
    take_turns(0);
    return NULL;
}

void *right(void *unused) {
    take_turns(1);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2 * ROUNDS);
}
