//@ verdict: violated "x != 4"
// Below five and above three is four, which is the last of its part.
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 5)
        assert(x != 4);
    return 0;
}
