//@ args: --property no-data-race
//@ verdict: holds
//@ verdict with --reduction none: holds
//@ verdict with --reduction global: holds
//@ verdict with --reduction superstep: holds
// What was just published is written by the one that published it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include <stdatomic.h>

_Atomic(int *) one;
_Atomic(int *) other;

void *first(void *unused) {
    int *mine = malloc(sizeof *mine);
    one = mine;
    *mine = 1;
    return NULL;
}

void *second(void *unused) {
    int *mine = malloc(sizeof *mine);
    other = mine;
    *mine = 2;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    free(one);
    free(other);
    return 0;
}
