//@ args: --property unreach-call
//@ verdict: holds
//@ verdict with -DOTHERS: violated "assertion"
//@ verdict with -DOTHERS --reduction none: violated "assertion"
// The run in which the allocation is missing ends, and the others are searched.
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int *block = __VERIFIER_nondet_int() ? malloc(sizeof(int)) : NULL;
    *block = 4;
    assert(block != NULL);
#ifdef OTHERS
    assert(*block != 4);
#endif
}
