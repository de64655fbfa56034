//@ args: --property no-overflow
//@ verdict: violated
// Where the quotient is not representable, the remainder is undefined as well (C11
// 6.5.5p6).
#include <limits.h>

int main(void) {
    volatile int smallest = INT_MIN, minus = -1;
    return smallest % minus;
}
