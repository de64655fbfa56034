//@ verdict: violated "fails"
// A new block may lie where a dead one lay (C11 7.22.3p1); as numbers, the addresses are equal.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *block = malloc(sizeof *block);
    uintptr_t old = (uintptr_t)block;
    free(block);
    block = malloc(sizeof *block);
    assert((uintptr_t)block != old);
    free(block);
}
