//@ verdict: unknown "128 bits"
#include <assert.h>

int main(void) {
    volatile unsigned long big = 1ul << 63;
    unsigned __int128 square = (unsigned __int128)big * big;
    assert((unsigned long)(square >> 64) == 1ul << 62);
}
