//@ verdict: holds
// A set of pointers, sorted by address, has each one once.
#include <assert.h>
#include <stdlib.h>

static int by_address(const void *left, const void *right) {
    const char *l = *(char *const *)left, *r = *(char *const *)right;
    return (l > r) - (l < r);
}

int main(void) {
    char *blocks[4];
    for (int i = 0; i < 4; i++)
        blocks[i] = malloc(1);
    qsort(blocks, 4, sizeof blocks[0], by_address);
    for (int i = 0; i < 3; i++)
        assert(blocks[i] < blocks[i + 1]);
    for (int i = 0; i < 4; i++)
        free(blocks[i]);
}
