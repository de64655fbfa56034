//@ verdict: violated "not this one"
// Nobody else knew the block, and yet another thread gets its address.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

int *_Atomic fresh;

void *make(void *unused) {
    fresh = malloc(sizeof *fresh);
    return NULL;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, make, NULL);
    int *block = malloc(sizeof *block);
    uintptr_t old = (uintptr_t)block;
    free(block);
    pthread_join(other, NULL);
    assert((uintptr_t)fresh != old && "not this one");
    free(fresh);
}
