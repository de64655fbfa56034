//@ verdict: violated "data race"
//@ verdict with --property unreach-call: holds
//@ verdict with --property unreach-call -O2: violated "counter == 4"
//@ verdict with --property unreach-call -DSHARED=volatile: holds
//@ verdict with --property unreach-call -DSHARED=volatile -O2: holds
// As written it excludes. But nothing tells the compiler that another thread looks at
// the variables: it keeps `counter` in a register from one round to the next.
#include <assert.h>
#include <pthread.h>

#ifndef SHARED
#define SHARED
#endif

SHARED int wants_left, wants_right, turn, counter;

void *left(void *unused) {
    for (int round = 0; round < 2; round++) {
        wants_left = 1;
        turn = 1;
        while (wants_right && turn == 1)
            ;
        counter++;
        wants_left = 0;
    }
    return NULL;
}

void *right(void *unused) {
    for (int round = 0; round < 2; round++) {
        wants_right = 1;
        turn = 0;
        while (wants_left && turn == 0)
            ;
        counter++;
        wants_right = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 4);
}
