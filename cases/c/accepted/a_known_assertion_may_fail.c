//@ args: --accept assertion@a_known_assertion_may_fail.c:10
//@ verdict: holds
//@ verdict with -DWRONG: violated "assertion"
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int number = __VERIFIER_nondet_int();
    assert(number != 4);
#ifdef WRONG
    assert(number != 5);
#endif
}
