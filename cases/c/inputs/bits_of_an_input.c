//@ verdict with --property unreach-call: holds
//@ verdict with --property unreach-call -DLOW: violated "assertion"
//@ verdict with --property unreach-call -DMIDDLE: violated "assertion"
//@ verdict with --property unreach-call -DSET: violated "assertion"
// What is taken out of an input by a mask, set in it, or turned round.
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned u = __VERIFIER_nondet_uint();
#if defined LOW
    assert((u & 15) != 9 || u != 0x12345679);
#elif defined MIDDLE
    assert((u & 0xff00) != 0x4200);
#elif defined SET
    assert((u | 3) != 0x1003);
#else
    assert((u & 7) <= 7 && (u & ~7u) <= u);
    assert((u & 5) != 2);
    if ((u & 1) == 0)
        assert(u != 77);
    if ((u & 0x80000000u) == 0)
        assert(u < 0x80000000u);
    assert((u | 1) != 0);
    assert(~u != u);
    assert((u ^ 1) != u);
#endif
}
