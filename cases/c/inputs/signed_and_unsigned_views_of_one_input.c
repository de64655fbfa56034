//@ verdict: holds
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0)
        assert((unsigned)x > 5u);
    if (x == -1)
        assert((unsigned)x == 4294967295u);
    if ((unsigned)x < 10u)
        assert(x >= 0 && x < 10);
}
