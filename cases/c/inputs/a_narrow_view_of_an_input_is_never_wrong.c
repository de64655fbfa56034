//@ verdict: holds
//@ verdict with -DSEEN: violated "assertion"
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned char low = (unsigned char)x;
    if (x == 256)
        assert(low == 0);
    if (low == 7)
        assert(x != 8);
    signed char any = __VERIFIER_nondet_int();
    assert(any >= -128 && any <= 127);
#ifdef SEEN
    if (low == 7)
        assert(x != 0x1207);
#endif
}
