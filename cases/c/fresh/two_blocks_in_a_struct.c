//@ args: --property no-data-race
//@ verdict: holds
//@ verdict with --reduction none: holds
//@ verdict with --reduction global: holds
//@ verdict with --reduction superstep: holds
// Members are published by different threads.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct {
    int *left, *right;
} both;

void *first(void *unused) {
    both.left = malloc(sizeof(int));
    *both.left = 1;
    return NULL;
}

void *second(void *unused) {
    both.right = malloc(sizeof(int));
    *both.right = 2;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    free(both.left);
    free(both.right);
    return 0;
}
