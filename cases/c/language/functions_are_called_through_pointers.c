//@ verdict: holds
#include <assert.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*const table[])(int, int) = {add, sub};

static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }

int main(void) {
    assert(apply(table[0], 5, 3) == 8 && apply(table[1], 5, 3) == 2);
    assert(table[0] != table[1] && table[0] == add);
}
