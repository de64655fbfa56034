//@ verdict with --property unreach-call: holds
//@ verdict with --property unreach-call -DOVERLAP: unknown "some of their values"
//@ verdict with --property unreach-call -DWRONG: violated "assertion"
// Two inputs whose ranges do not overlap are compared at once, and so is one with itself and
// a distance.
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
#ifdef OVERLAP
    __VERIFIER_assume(x < 1000000 && y > 999000);
    assert(x < y || x >= 999001);
#else
    __VERIFIER_assume(x < 1000000 && y > 2000000);
#ifdef WRONG
    assert(x > y);
#else
    assert(x < y && x != y && y >= x);
#endif
#endif
    assert(x < x + 5);
    assert(y < y + 5 || y + 5 < 5);
}
