//@ verdict: violated "never both"
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x == 123456 && y == -123456)
        assert(!"never both");
}
