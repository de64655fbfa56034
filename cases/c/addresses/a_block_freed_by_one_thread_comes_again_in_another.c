//@ verdict: violated "not this one"
// Nothing orders the birth after the death, so it may come first or last.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

int *block;

void *release(void *unused) {
    free(block);
    return NULL;
}

int main(void) {
    pthread_t other;
    block = malloc(sizeof *block);
    uintptr_t old = (uintptr_t)block;
    pthread_create(&other, NULL, release, NULL);
    int *fresh = malloc(sizeof *fresh);
    assert((uintptr_t)fresh != old && "not this one");
    free(fresh);
    pthread_join(other, NULL);
}
