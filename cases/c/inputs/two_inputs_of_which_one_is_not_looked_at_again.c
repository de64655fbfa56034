//@ verdict with --property unreach-call: holds
//@ verdict with --property unreach-call -DLESS: violated "assertion"
//@ verdict with --property unreach-call -DSUM: violated "assertion"
//@ verdict with --property unreach-call -DLOOP: holds
//@ verdict with --property no-overflow -DBOUNDED: holds
// What was compared with an input, or added to one, and is not looked at again leaves no more
// behind than what it says of the other.
#include <assert.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

int main(void) {
    int x = __VERIFIER_nondet_int();
#if defined LESS
    if (__VERIFIER_nondet_int() < x)
        assert(x != -2147483647);
#elif defined SUM
    assert((unsigned)x + __VERIFIER_nondet_uint() != 123456789);
#elif defined LOOP
    unsigned sum = 0;
    for (int i = 0; i < 5; i++)
        sum += __VERIFIER_nondet_uint() % 10;
    assert(sum <= 45);
#elif defined BOUNDED
    int y = __VERIFIER_nondet_int();
    __VERIFIER_assume(x >= 0 && x <= 1000 && y >= 0 && y <= 5000);
    return x + y == 7;
#else
    if (__VERIFIER_nondet_int() < x)
        assert(x > -2147483647 - 1);
    else
        assert(x < 2147483647 || x == 2147483647);
    if (x == __VERIFIER_nondet_int() && x > 5)
        assert(x >= 6);
    unsigned u = __VERIFIER_nondet_uint() % 100, v = __VERIFIER_nondet_uint() % 50;
    assert(u + v <= 148);
#endif
}
