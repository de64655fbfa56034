//@ verdict: holds
//@ verdict with --property no-overflow: violated "overflow"
// A char is converted when it is stored, which is no overflow; the product of two
// large shorts is computed in int, and is one.
#include <limits.h>

int main(void) {
    volatile signed char small = SCHAR_MAX;
    small++;
    volatile unsigned short large = 65535;
    volatile unsigned product = large * large;
    return product == 0;
}
