//@ verdict: holds
//@ verdict with --property no-overflow: holds
#include <assert.h>
#include <limits.h>

int main(void) {
    volatile unsigned big = UINT_MAX;
    volatile unsigned short small = 65535;
    assert(big + 1 == 0 && big * big == 1);
    small++;
    assert(small == 0);
}
