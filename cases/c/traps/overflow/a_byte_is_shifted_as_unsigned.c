//@ args: --property no-overflow
//@ verdict: holds
// The cast comes before the shift, so the shift is one of `unsigned` (C11 6.5.7p4).
#include <assert.h>

int main(void) {
    volatile unsigned char byte = 255;
    assert(((unsigned)byte << 24) == 0xff000000u);
    return 0;
}
