//@ verdict: holds
#include <assert.h>

int __VERIFIER_nondet_int(void);
int copy, other;

int main(void) {
    int x = __VERIFIER_nondet_int();
    copy = x;
    other = copy;
    if (copy == 42)
        assert(other == 42 && x == 42);
    else
        assert(other != 42);
}
