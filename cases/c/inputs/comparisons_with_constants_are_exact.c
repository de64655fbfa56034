//@ verdict: holds
#include <assert.h>

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned u = __VERIFIER_nondet_uint();
    if (x > 1000 && x < 1001)
        assert(0);
    if (x == 77777)
        assert(x > 70000 && x != 77776);
    if (u > 4000000000u)
        assert(u != 5);
    if (x < 0)
        assert(x <= -1);
}
