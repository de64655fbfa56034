//@ verdict: holds
#include <assert.h>

static int grid[3][4];
static const char *const names[] = {"zero", "one", "two"};

int main(void) {
    int (*row)[4] = grid;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            row[i][j] = i * 4 + j;
    assert(grid[2][3] == 11 && *(*(grid + 1) + 2) == 6 && (&grid[2][3])[-1] == 10);
    assert(names[2][1] == 'w' && sizeof grid == 48);
    struct { int n; char tail[]; } *flexible = (void *)grid;
    assert(flexible->n == 0 && flexible->tail[0] == 1);
}
