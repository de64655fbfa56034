//@ args: --property unreach-call
//@ verdict: holds
//@ verdict with -DONE_OF_THEM: violated "assertion"
//@ verdict with --reduction none: holds
// Nobody asks about uninitialised memory: such a variable is an input, and the same
// whenever it is read.
#include <assert.h>

int main(void) {
    int number, items[3];
    int copy = number;
    assert(copy == number);
    if (number > 5) assert(number != 5);
    assert(items[1] == items[1]);
#ifdef ONE_OF_THEM
    assert(number != 77 || items[2] != -8);
#endif
}
