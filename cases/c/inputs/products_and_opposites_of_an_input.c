//@ verdict with --property unreach-call: holds
//@ verdict with --property unreach-call -DFOUND: violated "assertion"
//@ verdict with --property unreach-call -DWRAPS: violated "assertion"
//@ verdict with --property no-overflow -DOPPOSITE: violated "0 - -2147483648"
//@ verdict with --property no-overflow -DTRIPLE: violated "overflows"
//@ verdict with --property no-overflow -DBOUNDED: holds
// A product is split where it wraps around.
#include <assert.h>
#include <limits.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned u = __VERIFIER_nondet_uint();
#if defined FOUND
    int y = 10 - x;
    assert(y != 7 || x != 3);
#elif defined WRAPS
    assert(u * 3 != 1);
#elif defined OPPOSITE
    return -x == 5;
#elif defined TRIPLE
    return x * 3 == 9;
#elif defined BOUNDED
    if (x > INT_MAX / 3 || x < INT_MIN / 3)
        return 0;
    x = x * 3 - 0;
    return (0 - (x / 3)) * 2 == 6;
#else
    if (x > 0)
        assert(-x < 0);
    if (x >= -1000 && x <= 1000)
        assert(x * 4 <= 4000 && x * -4 <= 4000 && x * 6 != 3);
    assert((u * 2 & 1) == 0);
    assert(__VERIFIER_nondet_uint() * 2654435761u >> 28 < 16);
#endif
}
