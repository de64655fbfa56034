//@ verdict: violated "a < b"
// C says nothing about the order of two objects, so either may come first.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *a = malloc(3), *b = malloc(3);
    assert(a < b);
    free(a);
    free(b);
}
