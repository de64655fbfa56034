//@ verdict: holds
//@ note: no run comes to its end
// True, for want of runs.
#include <assert.h>

void __VERIFIER_assume(int);

int main(void) {
    __VERIFIER_assume(0);
    assert(0);
}
