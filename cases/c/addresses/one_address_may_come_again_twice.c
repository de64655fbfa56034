//@ verdict: violated "not both"
// Two blocks, one after the other, at the address of a third.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    uintptr_t old[3];
    for (int i = 0; i < 3; i++) {
        int *block = malloc(sizeof *block);
        old[i] = (uintptr_t)block;
        free(block);
    }
    if (old[0] == old[1])
        assert(old[1] != old[2] && "not both");
}
