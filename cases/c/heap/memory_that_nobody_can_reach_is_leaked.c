//@ verdict: holds
//@ verdict with --property valid-memsafety: violated "out of reach"
#include <stdlib.h>

int main(void) {
    char *block = malloc(8);
    block[0] = 1;
    block = NULL;
    return 0;
}
