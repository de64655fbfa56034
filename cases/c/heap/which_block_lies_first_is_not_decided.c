//@ verdict: unknown "compared by order"
// C says nothing about the order of two objects, so neither do we.
#include <stdlib.h>

int main(void) {
    char *a = malloc(3), *b = malloc(3);
    int is_first = a < b;
    free(a);
    free(b);
    return is_first;
}
