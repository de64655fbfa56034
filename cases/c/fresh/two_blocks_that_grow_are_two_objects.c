//@ args: --property no-data-race
//@ verdict: holds
//@ verdict with --reduction none: holds
//@ verdict with --reduction global: holds
//@ verdict with --reduction superstep: holds
// A block that moves is a new one.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *one, *other;

void *first(void *unused) {
    one = malloc(1);
    one = realloc(one, sizeof *one);
    *one = 1;
    return NULL;
}

void *second(void *unused) {
    other = malloc(1);
    other = realloc(other, sizeof *other);
    *other = 2;
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
