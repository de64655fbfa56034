//@ verdict: violated
#include <stdlib.h>

int main(void) {
    int *row = calloc(4, sizeof *row);
    for (int i = 0; i <= 4; i++)
        row[i] = i;
    free(row);
}
