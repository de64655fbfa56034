//@ args: --property no-data-race
//@ verdict: holds
//@ verdict with --reduction none: holds
//@ verdict with --reduction global: holds
//@ verdict with --reduction superstep: holds
// Result buffers, one for each worker.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *results[3];

void *first(void *unused) {
    results[0] = malloc(sizeof(int));
    *results[0] = 1;
    return NULL;
}

void *second(void *unused) {
    results[1] = malloc(sizeof(int));
    *results[1] = 2;
    return NULL;
}

void *third(void *unused) {
    results[2] = malloc(sizeof(int));
    *results[2] = 3;
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_create(&threads[2], NULL, third, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    pthread_join(threads[2], NULL);
    for (int i = 0; i < 3; i++)
        free(results[i]);
    return 0;
}
