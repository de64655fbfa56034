//@ args: --property no-data-race
//@ verdict: holds
//@ verdict with --reduction none: holds
//@ verdict with --reduction global: holds
//@ verdict with --reduction superstep: holds
// Addresses of local variables, published while they live.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *one, *other;

void *first(void *unused) {
    int mine = 0;
    one = &mine;
    *one = 1;
    return NULL;
}

void *second(void *unused) {
    int mine = 0;
    other = &mine;
    *other = 2;
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
