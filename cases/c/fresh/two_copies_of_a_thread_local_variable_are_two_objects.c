//@ args: --property no-data-race
//@ verdict: holds
//@ verdict with --reduction none: holds
//@ verdict with --reduction global: holds
//@ verdict with --reduction superstep: holds
// Each thread publishes its own copy.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

_Thread_local int own;
int *one, *other;

void *first(void *unused) {
    one = &own;
    *one = 1;
    return NULL;
}

void *second(void *unused) {
    other = &own;
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
