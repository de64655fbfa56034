//@ verdict: holds
#include <assert.h>
#include <limits.h>
#include <stdint.h>

int main(void) {
    volatile unsigned char byte = 255;
    volatile signed char small = -1;
    volatile unsigned u = 3000000000u;
    volatile int minus = -1;
    assert(byte + 1 == 256);
    assert((unsigned char)(byte + 1) == 0);
    assert(small == -1 && (unsigned)small == UINT_MAX);
    assert(u + u == 1705032704u);
    assert((unsigned)minus > 1u);
    assert(-7 / 2 == -3 && -7 % 2 == -1 && minus >> 1 == -1);
    assert((int64_t)minus * u == -3000000000ll);
    assert((_Bool)0.5 == 1 && !!byte == 1);
}
