//@ verdict: holds
#include <assert.h>

static int next(void) {
    static int counter;
    return ++counter;
}

static int sum(int n) {
    int row[n], total = 0, i = 0;
again:
    row[i] = next();
    total += row[i];
    if (++i < n)
        goto again;
    return total;
}

int main(void) {
    assert(sum(3) == 6);
    assert(sum(2) == 9);
    assert((struct { int x; }){4}.x == 4);
}
