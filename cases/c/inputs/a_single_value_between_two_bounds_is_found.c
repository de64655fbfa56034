//@ verdict: violated "not six"
// The value is none of the few that are tried where inputs cannot be exact.
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 5 && x < 7)
        assert(!"not six");
}
