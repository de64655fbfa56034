//@ args: --property unreach-call
//@ verdict: violated "never"
//@ verdict with --reduction global: violated "never"
//@ verdict with --reduction superstep --order dfs: violated "never"
//@ verdict with --reduction superstep -DK=1: violated "never"
//@ verdict with --reduction superstep -DK=2: violated "never"
//@ verdict with --reduction superstep -DK=3: violated "never"
//@ verdict with --reduction superstep -DK=4: violated "never"
//@ verdict with --reduction superstep -DK=5: violated "never"
//@ verdict with --reduction superstep -DK=6: violated "never"
// Both writes come between the two reads. A superstep of the reader that hides its first
// read, and one of the writer that ends with the first write, lose that. Whose superstep is
// found first depends on what the threads hold, so several values are tried.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef K
#define K 0
#endif

atomic_int own, first, second;

void *write(void *unused) {
    own = K;
    first = 1;
    second = 1;
    return NULL;
}

void *read(void *key) {
    int old = first;
    int new = second;
    int never = !(old == 0 && new == 1) || (long)key != K;
    assert(never);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, write, NULL);
    pthread_create(&b, NULL, read, (void *)(long)K);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
