//@ verdict: holds
// A block that is gone for good leaves its place in the state to others.
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

int *_Atomic first, *_Atomic kept;

int main(void) {
    first = malloc(sizeof *first);
    int *block = malloc(sizeof *block);
    uintptr_t old = (uintptr_t)block;
    free(block);
    block = malloc(sizeof *block);
    kept = block;
    int is_same = (uintptr_t)block == old;
    free(first);
    first = NULL;
    assert(is_same == ((uintptr_t)kept == old));
    free(kept);
}
