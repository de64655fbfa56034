//@ verdict: violated "x != -7"
// A range of inputs is split where the outcome of a comparison changes: at the number, and
// where the sign does.
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 5 && x < -3)
        assert(x != -7);
    return 0;
}
