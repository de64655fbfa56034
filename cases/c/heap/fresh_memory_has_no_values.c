//@ verdict: violated "never set"
#include <stdlib.h>

int main(void) {
    int *number = malloc(sizeof *number);
    if (*number == 0)
        return 1;
    free(number);
}
