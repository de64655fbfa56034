//@ verdict: violated "fresh"
// The block is freed, made again by the other thread, which sets its flag, and then `main` looks at
// the flag: nothing orders the death with the write before it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

atomic_int flag;
int *fresh, number;

void *make(void *unused) {
    fresh = malloc(sizeof *fresh);
    flag = 1;
    return NULL;
}

int main(void) {
    pthread_t other;
    int *block = malloc(sizeof *block);
    uintptr_t old = (uintptr_t)block;
    pthread_create(&other, NULL, make, NULL);
    number = 1;
    free(block);
    int is_set = flag;
    pthread_join(other, NULL);
    assert(!(is_set && (uintptr_t)fresh == old));
    free(fresh);
}
