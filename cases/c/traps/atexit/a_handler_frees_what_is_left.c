//@ args: --property all
//@ verdict: holds
// Handlers run before the program ends (C11 7.22.4.4p3), so what they free does not leak.
#include <stdlib.h>

int *block;

void last(void) {
    free(block);
    block = NULL;
}

int main(void) {
    block = malloc(sizeof *block);
    atexit(last);
    return 0;
}
