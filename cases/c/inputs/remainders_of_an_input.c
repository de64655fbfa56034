//@ verdict with --property unreach-call: holds
//@ verdict with --property unreach-call -DDIGIT: violated "assertion"
//@ verdict with --property unreach-call -DBOTH: violated "assertion"
//@ verdict with --property unreach-call -DNEGATIVE: violated "assertion"
//@ verdict with --property unreach-call,no-overflow -DZERO: violated "divided by zero"
// An input that is looked at again is split by what is left of it; another one is any
// remainder.
#include <assert.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned u = __VERIFIER_nondet_uint();
#if defined DIGIT
    assert(u % 10 != 7);
#elif defined BOTH
    assert(u % 10 != 7 || u % 4 != 3 || u < 4000000000u);
#elif defined NEGATIVE
    assert(x % 8 != -5);
#elif defined ZERO
    return 5 % x;
#else
    assert(u % 1000 < 1000);
    assert(x % 10 > -10 && x % 10 < 10);
    if (x % 3 == 1)
        assert(x > 0 && x != 6 && x != 9);
    if (x % 2)
        assert(x != 4 && (x & 1));
    else
        assert(x % 2 == 0 && !(x & 1));
#endif
}
