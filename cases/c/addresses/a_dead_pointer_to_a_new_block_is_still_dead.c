//@ verdict: violated "after it was freed"
// Equal addresses do not make a pointer valid: it is to another object.
#include <stdlib.h>

int main(void) {
    int *old = malloc(sizeof *old);
    free(old);
    int *now = malloc(sizeof *now);
    *now = 1;
    if (now == old)
        *old = 2;
    free(now);
}
