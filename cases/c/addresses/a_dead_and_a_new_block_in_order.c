//@ verdict: violated "one place"
// Neither lower nor higher: at one address.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *block = malloc(1);
    uintptr_t old = (uintptr_t)block;
    free(block);
    block = malloc(1);
    uintptr_t now = (uintptr_t)block;
    assert((now < old || now > old) && "one place");
    free(block);
}
