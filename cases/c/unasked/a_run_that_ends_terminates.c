//@ args: --property termination
//@ verdict: holds
//@ verdict with -DTURNS: violated
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int *nowhere = NULL;
#ifdef TURNS
    while (__VERIFIER_nondet_int()) {}
#endif
    while (*nowhere) {}
}
