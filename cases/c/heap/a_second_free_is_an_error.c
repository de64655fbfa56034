//@ verdict: violated "freed"
#include <stdlib.h>

int main(void) {
    char *block = malloc(8);
    char *again = block;
    free(block);
    free(again);
}
