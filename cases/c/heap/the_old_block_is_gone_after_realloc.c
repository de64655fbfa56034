//@ verdict: violated "allocation of line 5"
#include <stdlib.h>

int main(void) {
    int *row = malloc(sizeof *row);
    row[0] = 3;
    int *longer = realloc(row, 64 * sizeof *row);
    row[0] = 4;
    free(longer);
}
