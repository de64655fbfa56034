//@ verdict with --property no-overflow -DOPPOSITE: violated "overflows"
//@ verdict with --property unreach-call -DPRODUCT: violated "assertion"
//@ verdict with --property unreach-call: unknown "some of their values"
// A square does not split a range, so some values are tried: the least, the greatest, and
// those around the numbers that the program names.
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
#ifdef OPPOSITE
    int y = -x;
    return y == 3;
#else
    int y = (int)((unsigned)x * (unsigned)x);
#ifdef PRODUCT
    assert(y != 4711 * 4711);
#else
    assert(y != 4711 * 4711 || x == 4711 || x != 4712);
#endif
    return x == 4710;
#endif
}
