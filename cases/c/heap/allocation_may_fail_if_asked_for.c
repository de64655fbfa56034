//@ verdict: holds
//@ verdict with --malloc-fails: violated "null"
#include <stdlib.h>

int main(void) {
    int *number = malloc(sizeof *number);
    *number = 1;
    free(number);
}
