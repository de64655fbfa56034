//@ verdict: violated "`order != 21`"
//@ verdict with -DREVERSED: holds
#include <assert.h>
#include <stdlib.h>

/* C11: what `at_quick_exit` registers runs in reverse order, what `atexit` registers does
   not run at all. */
int order;

static void one(void) {
    order = order * 10 + 1;
#ifdef REVERSED
    assert(order == 21);
#else
    assert(order != 21);
#endif
}
static void two(void) { order = order * 10 + 2; }
static void never(void) { assert(0); }

int main(void) {
    at_quick_exit(one);
    atexit(never);
    at_quick_exit(two);
    quick_exit(0);
}
