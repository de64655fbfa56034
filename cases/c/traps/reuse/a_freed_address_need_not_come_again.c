//@ args: --property unreach-call
//@ verdict: violated "now == old"
// The order and contiguity of storage is unspecified (C11 7.22.3p1), so a new block may
// lie elsewhere.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *block = malloc(sizeof *block);
    uintptr_t old = (uintptr_t)block;
    free(block);
    block = malloc(sizeof *block);
    uintptr_t now = (uintptr_t)block;
    assert(now == old);
    free(block);
    return 0;
}
