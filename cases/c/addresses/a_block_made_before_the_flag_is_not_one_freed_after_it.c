//@ verdict: holds
// The death comes after the flag and the birth before it, in every run.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

atomic_int is_made;
int *fresh;

void *make(void *unused) {
    fresh = malloc(sizeof *fresh);
    is_made = 1;
    return NULL;
}

int main(void) {
    pthread_t other;
    int *block = malloc(sizeof *block);
    uintptr_t old = (uintptr_t)block;
    pthread_create(&other, NULL, make, NULL);
    while (!is_made)
        ;
    free(block);
    assert((uintptr_t)fresh != old);
    pthread_join(other, NULL);
    free(fresh);
}
