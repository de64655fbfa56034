//@ verdict: holds
// Whatever the order is, it is one: two comparisons agree, and three are transitive.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *a = malloc(3), *b = malloc(3), *c = malloc(3);
    assert((a < b) == !(b < a) && (a < b) == (a <= b));
    if (a < b && b < c)
        assert(a < c && c >= b);
    if (a > b)
        assert(b + 2 < a && b < a + 2);
    free(a);
    free(b);
    free(c);
}
