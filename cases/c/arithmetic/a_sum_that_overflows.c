//@ verdict: holds
//@ verdict with --property no-overflow: violated "overflow"
//@ verdict with --ub: violated "overflow"
#include <limits.h>

int main(void) {
    volatile int big = INT_MAX;
    volatile int sum = big + 1;
    return sum == INT_MIN;
}
