//@ args: --property valid-memsafety
//@ verdict: violated "out of reach"
//@ rule: memory-leak
#include <stdlib.h>

int main(void) {
    char *uninitialised_overflow = malloc(8);
    uninitialised_overflow[0] = 1;
    uninitialised_overflow = NULL;
    return 0;
}
