//@ args: --property no-overflow
//@ verdict: violated
// If the result of `abs` cannot be represented, the behaviour is undefined (C11
// 7.22.6.1p2).
#include <limits.h>
#include <stdlib.h>

int main(void) {
    volatile int smallest = INT_MIN;
    return abs(smallest) > 0;
}
