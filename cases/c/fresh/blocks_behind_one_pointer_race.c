//@ args: --property no-data-race
//@ verdict: violated "data race on `one`"
//@ verdict with --reduction none: violated "data race on `one`"
//@ verdict with --reduction global: violated "data race on `one`"
//@ verdict with --reduction superstep: violated "data race on `one`"
// Both publish through the same variable: that is what they race on.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *one;

void *first(void *unused) {
    one = malloc(sizeof *one);
    *one = 1;
    return NULL;
}

void *second(void *unused) {
    one = malloc(sizeof *one);
    *one = 2;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
