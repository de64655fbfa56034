//@ verdict with --property unreach-call: holds
//@ verdict with --property unreach-call -DFOUND: violated "assertion"
//@ verdict with --property unreach-call -DSHIFTED: violated "assertion"
//@ verdict with --property no-overflow -DLEAST: violated "too large"
// A quotient rises with the input: whoever splits one splits the other.
#include <assert.h>
#include <limits.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned u = __VERIFIER_nondet_uint();
#if defined FOUND
    assert(x / 10 != -77777 || x != -777779);
#elif defined SHIFTED
    assert(x >> 4 != -3 || x == -48);
#elif defined LEAST
    return x / -1;
#else
    assert(x / 10 <= INT_MAX / 10 && x / 10 >= INT_MIN / 10);
    if (x / 7 == 3)
        assert(x >= 21 && x <= 27);
    if (x / 7 == 0)
        assert(x > -7 && x < 7);
    if (x >> 3 == -1)
        assert(x >= -8 && x < 0);
    assert(u >> 4 < 0x10000000u);
    assert((u >> 31) == (u > 0x7fffffffu));
#endif
}
