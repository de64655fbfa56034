//@ verdict: violated "n != 1"
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int n = __VERIFIER_nondet_bool() + __VERIFIER_nondet_bool();
    assert(n >= 0 && n <= 2);
    assert(n != 1);
}
