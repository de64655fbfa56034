//@ verdict: holds
//@ verdict with --ub: violated "not aligned"
// Undefined by C11 6.3.2.3, though the processor does it.
#include <stdlib.h>

int main(void) {
    char *bytes = calloc(1, 8);
    int *odd = (int *)(bytes + 1);
    int value = *odd;
    free(bytes);
    return value;
}
