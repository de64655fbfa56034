//@ verdict: holds
// Dead variables are cleared away within a step, and their places in the state are used again
// by variables that live at the same time as others.
#include <assert.h>

static int deepest(volatile int *mine) {
    volatile int local = 0;
    return &local != mine;
}

static int deeper(volatile int *mine) {
    volatile int local = 0;
    return &local != mine && deepest(mine) && deepest(&local);
}

static int is_apart(void) {
    volatile int local = 0;
    return deeper(&local);
}

int main(void) {
    for (int i = 0; i < 200; i++)
        assert(is_apart());
}
