//@ args: --accept memory-safety@a_run_ends_at_a_known_finding.c:17 --accept division@a_run_ends_at_a_known_finding.c:19
//@ verdict: holds
//@ note: accepted, and not reported: memory-safety@a_run_ends_at_a_known_finding.c:17, division@
//@ verdict with -DOTHER: violated "null pointer"
//@ verdict with -DBEHIND: violated "assertion"
// Other findings are reported, and so is what other runs come to.
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int *nowhere = NULL, number = 0, zero = 0;
#ifdef OTHER
    *nowhere = 3;
#endif
    if (__VERIFIER_nondet_int()) *nowhere = 4;
    if (__VERIFIER_nondet_int())
        number = 1 / zero;
#ifdef BEHIND
    assert(number == 1);
#endif
    assert(nowhere == NULL);
}
