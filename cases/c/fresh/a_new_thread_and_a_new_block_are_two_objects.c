//@ args: --property no-data-race
//@ verdict: holds
//@ verdict with --reduction none: holds
//@ verdict with --reduction global: holds
//@ verdict with --reduction superstep: holds
// One thread creates another while the other publishes a block: neither knows what the
// other made.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *one;

void *nothing(void *unused) {
    return NULL;
}

void *first(void *unused) {
    one = malloc(sizeof *one);
    *one = 1;
    return NULL;
}

void *second(void *unused) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
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
