//@ verdict: unknown
//@ fixme: it holds
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned char low = (unsigned char)x;
    if (x == 256)
        assert(low == 0);
    if (low == 7)
        assert(x != 8);
}
