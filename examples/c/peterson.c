//@ verdict: holds
//@ verdict with -DPLAIN: violated "data race"
//@ verdict with -DPLAIN --property unreach-call: holds
//@ verdict with -DPLAIN --property unreach-call -O2: violated "counter == 4"
// The algorithm of Peterson: two threads exclude each other with plain loads and stores,
// as long as these happen in the order in which they are written.
//
//     threadproof check examples/c/peterson.c
//
// proves it for C11 atomics, which keep their order. With -DPLAIN the variables are plain:
//
//     threadproof check examples/c/peterson.c -DPLAIN
//     threadproof check examples/c/peterson.c -DPLAIN --property unreach-call
//     threadproof check examples/c/peterson.c -DPLAIN --property unreach-call -O2
//
// The first reports the data race. The second asks about the assertion alone, step by step
// as it is written, and it holds. The third asks about the code after optimisation: the
// compiler, which knows of one thread only, keeps `counter` in a register. It is broken.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef PLAIN
int wants[2], turn;
#else
atomic_int wants[2], turn;
#endif
int counter;

static void count(int me, int other) {
    for (int round = 0; round < 2; round++) {
        wants[me] = 1;
        turn = other;
        while (wants[other] && turn == other)
            ;
        counter++;
        wants[me] = 0;
    }
}

void *left(void *unused) {
    count(0, 1);
    return NULL;
}

void *right(void *unused) {
    count(1, 0);
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
