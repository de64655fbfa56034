//@ verdict: holds
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), sum = 0;
    __VERIFIER_assume(n <= 4);
    for (unsigned i = 0; i < n; i++)
        sum += 2;
    assert(sum <= 8 && sum % 2 == 0);
}
