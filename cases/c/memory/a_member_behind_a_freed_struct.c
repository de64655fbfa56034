//@ verdict: violated
#include <stdlib.h>

struct outer { int a; struct inner { int b; } inner; };

int main(void) {
    struct outer *outer = malloc(sizeof *outer);
    struct inner *inner = &outer->inner;
    inner->b = 2;
    free(outer);
    return inner->b;
}
