//@ verdict: holds
//@ verdict with -DN=4: holds
//@ verdict with -DLOST: violated "x == y"
// Two robots on a board of N x N fields. One walks along the rows from the diagonal to the
// right, the other one along the columns from the diagonal down. So they can meet on the
// diagonal, and nowhere else. With -DLOST the second one starts one field too high.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

atomic_int board[N][N];

static void visit(int x, int y) {
    if (atomic_fetch_add(&board[y][x], 1) > 0)
        assert(x == y);
    atomic_fetch_sub(&board[y][x], 1);
}

void *along_rows(void *unused) {
    for (int y = 0; y < N; y++)
        for (int x = y; x < N; x++)
            visit(x, y);
    return NULL;
}

void *along_columns(void *unused) {
    for (int x = 0; x < N; x++) {
#ifdef LOST
        for (int y = x > 0 ? x - 1 : 0; y < N; y++)
#else
        for (int y = x; y < N; y++)
#endif
            visit(x, y);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, along_rows, NULL);
    pthread_create(&b, NULL, along_columns, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
