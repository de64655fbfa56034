//@ verdict: holds
//@ verdict with --malloc-fails: holds
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *row = malloc(2 * sizeof *row);
    if (!row)
        return 1;
    row[0] = 3;
    row[1] = 4;
    int *longer = realloc(row, 3 * sizeof *row);
    if (!longer) {
        assert(row[1] == 4);
        free(row);
        return 1;
    }
    longer[2] = 5;
    assert(longer[0] + longer[1] + longer[2] == 12);
    free(longer);
}
