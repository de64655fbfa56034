//@ args: --property no-data-race
//@ verdict: holds
//@ verdict with --reduction none: holds
//@ verdict with --reduction global: holds
//@ verdict with --reduction superstep: holds
// Each thread has a lock of its own.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
int *one, *other;

void *first(void *unused) {
    pthread_mutex_lock(&left);
    one = malloc(sizeof *one);
    *one = 1;
    pthread_mutex_unlock(&left);
    return NULL;
}

void *second(void *unused) {
    pthread_mutex_lock(&right);
    other = malloc(sizeof *other);
    *other = 2;
    pthread_mutex_unlock(&right);
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
