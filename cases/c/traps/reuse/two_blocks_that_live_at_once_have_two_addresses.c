//@ verdict: holds
// Each allocation yields a pointer to an object disjoint from any other (C11 7.22.3p1).
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *left = malloc(sizeof *left), *right = malloc(sizeof *right);
    uintptr_t a = (uintptr_t)left, b = (uintptr_t)right;
    assert(left != right && a != b);
    free(left);
    free(right);
    return 0;
}
