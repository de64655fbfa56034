//@ verdict: holds
// Of two blocks that live at once only one can lie where a dead one lay, and where a block
// lies does not change.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *block = malloc(sizeof *block);
    uintptr_t old = (uintptr_t)block;
    free(block);
    int *one = malloc(sizeof *one), *two = malloc(sizeof *two);
    int is_one = (uintptr_t)one == old;
    assert(!(is_one && (uintptr_t)two == old));
    assert(one != two);
    assert(is_one == ((uintptr_t)one == old));
    free(one);
    free(two);
}
