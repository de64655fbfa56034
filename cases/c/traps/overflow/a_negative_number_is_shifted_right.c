//@ args: --property no-overflow
//@ verdict: holds
// The result is implementation-defined (C11 6.5.7p5), and clang keeps the sign.
#include <assert.h>

int main(void) {
    volatile int minus = -8;
    assert(minus >> 1 == -4);
    return 0;
}
