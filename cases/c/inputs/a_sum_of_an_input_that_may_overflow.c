//@ verdict with --property no-overflow: violated "2147483647 + 1"
//@ verdict with --property no-overflow -DLESS: violated "-2147483648 - 1"
//@ verdict with --property no-overflow -DBOUNDED: holds
//@ verdict with --property no-overflow -DBOUNDED -DLESS: holds
//@ verdict with --property no-overflow -DUNSIGNED: holds
//@ verdict with --property no-overflow,unreach-call -DBOUNDED -DFAILS: violated "assertion"
// Inputs that overflow part from those that do not: both are exact.
#include <assert.h>
#include <limits.h>
int __VERIFIER_nondet_int(void);

int main(void) {
#ifdef UNSIGNED
    unsigned x = __VERIFIER_nondet_int();
#else
    int x = __VERIFIER_nondet_int();
#endif
#ifdef BOUNDED
    if (x == INT_MAX || x == INT_MIN)
        return 0;
#endif
#ifdef LESS
    x = x - 1;
#else
    x++;
#endif
#ifdef FAILS
    assert(x != 77);
#endif
    return x == 5;
}
