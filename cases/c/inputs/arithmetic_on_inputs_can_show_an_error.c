//@ verdict: violated "x * x != 9"
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x * x != 9);
}
