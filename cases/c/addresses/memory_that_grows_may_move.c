//@ verdict: violated "it stayed"
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *block = malloc(sizeof *block);
    *block = 7;
    uintptr_t old = (uintptr_t)block;
    block = realloc(block, 2 * sizeof *block);
    assert(*block == 7);
    assert((uintptr_t)block == old && "it stayed");
    free(block);
}
