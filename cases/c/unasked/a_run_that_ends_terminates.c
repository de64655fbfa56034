//@ args: --property termination
//@ verdict: holds
//@ note: memory is read through a null pointer
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
