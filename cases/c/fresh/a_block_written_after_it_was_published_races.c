//@ args: --property no-data-race
//@ verdict: violated "data race on"
//@ verdict with --reduction none: violated "data race on"
//@ verdict with --reduction global: violated "data race on"
//@ verdict with --reduction superstep: violated "data race on"
// The other thread reads the address, and then what it points to, while it is written:
// two races, and both objects exist.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include <stdatomic.h>

_Atomic(int *) one;
int seen;

void *first(void *unused) {
    int *mine = malloc(sizeof *mine);
    *mine = 0;
    one = mine;
    *mine = 1;
    return NULL;
}

void *second(void *unused) {
    int *theirs = one;
    if (theirs)
        seen = *theirs;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    free(one);
    return 0;
}
