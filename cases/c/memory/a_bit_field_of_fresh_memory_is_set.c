// Setting a bit-field reads the whole word that it lies in, of which nothing is set yet:
// that is no use of what was never set.
//@ verdict: holds
//@ verdict with -DFORGOTTEN: violated

#include <pthread.h>
#include <stdlib.h>

struct flags {
    unsigned kind : 5;
    unsigned size : 7;
    int rest;
} *shared;

static void *set(void *unused) {
    shared->kind = 3;
#ifndef FORGOTTEN
    shared->size = 4;
#endif
    return unused;
}

int main(void) {
    shared = malloc(sizeof *shared);
    if (!shared) return 1;
    pthread_t setter;
    pthread_create(&setter, 0, set, 0);
    pthread_join(setter, 0);
    if (shared->size == 5) return 2;
    free(shared);
    return 0;
}
