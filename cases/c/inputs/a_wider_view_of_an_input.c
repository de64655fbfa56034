//@ verdict: holds
#include <assert.h>

int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    long wide = __VERIFIER_nondet_int();
    int small = __VERIFIER_nondet_uchar();
    assert(wide < 5000000000l && wide > -5000000000l);
    assert(small >= 0 && small < 256);
}
