//@ args: --property unreach-call
//@ verdict: holds
//@ verdict with --reduction none: holds
//@ note: runs end where a rule is broken that was not asked about: a number is divided by zero (cases/c/unasked/the_verdict_names_where_runs_end.c:14); memory is written through a null pointer (cases/c/unasked/the_verdict_names_where_runs_end.c:15)
#include <assert.h>
#include <stddef.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int *nowhere = NULL, zero = 0;
    int way = __VERIFIER_nondet_int();
    if (way == 0) return 0;
    if (way == 1) return 1 / zero;
    *nowhere = 1;
    assert(0);
}
