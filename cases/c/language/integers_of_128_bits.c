//@ verdict: holds
//@ verdict with -O2: holds
#include <assert.h>
#include <stdint.h>

typedef unsigned __int128 wide;

static volatile uint64_t x = 0xdeadbeefcafebabe, y = 0x123456789abcdef1;
static wide stored = (wide)1 << 100;

int main(void) {
    assert((uint64_t)((wide)x * y >> 64) == 0xfd5bdeeeb2a01d8);
    wide both = (wide)x << 64 | y;
    assert(both / x >> 64 == 1 && both % ((wide)1 << 64) == y);
    assert(both - y == (wide)x << 64 && both + 1 > both && ~both + both == ~(wide)0);
    __int128 below = -(__int128)(int)(y & 7 | 4);
    assert(below == -5 && below / 2 == -2 && below % 2 == -1 && below >> 1 == -3 && below < 0);
    assert((int64_t)below == -5 && (double)below == -5.0 && (__int128)-5.9 == below);
    stored += y;
    assert(stored >> 64 == (wide)1 << 36 && (uint64_t)stored == y);
}
