//@ verdict: holds
#include <assert.h>
#include <stdint.h>
#include <string.h>

union both { float f; uint32_t bits; unsigned char bytes[4]; };

int main(void) {
    union both both = {.f = 1.0f};
    assert(both.bits == 0x3f800000);
    assert(both.bytes[3] == 0x3f && both.bytes[0] == 0);
    both.bytes[3] = 0xbf;
    assert(both.f == -1.0f);
    double d = -2.5;
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    assert(bits == 0xc004000000000000u);
}
