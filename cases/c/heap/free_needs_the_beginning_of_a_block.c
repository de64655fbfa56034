//@ verdict: violated "free"
#include <stdlib.h>

int main(void) {
    char *block = malloc(8);
    free(block + 1);
}
