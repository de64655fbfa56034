//@ verdict: holds
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    uintptr_t old = (uintptr_t)first;
    free(first);
    assert((uintptr_t)second != old);
    free(second);
}
