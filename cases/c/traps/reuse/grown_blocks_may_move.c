//@ args: --property unreach-call
//@ verdict: violated "now == old"
// The new object may have the same address as the old one, but need not (C11 7.22.3.5p4).
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *block = malloc(4);
    uintptr_t old = (uintptr_t)block;
    block = realloc(block, 8);
    uintptr_t now = (uintptr_t)block;
    assert(now == old);
    free(block);
    return 0;
}
