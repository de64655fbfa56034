//@ args: --property no-overflow
//@ verdict: holds
// The sum is an `int` (C11 6.3.1.1p2), and the conversion back is implementation-defined
// (C11 6.3.1.3p3), not undefined.
#include <assert.h>
#include <limits.h>

int main(void) {
    volatile signed char small = SCHAR_MAX;
    small++;
    assert(small == SCHAR_MIN);
    return 0;
}
