//@ args: --property no-overflow
//@ verdict: violated "overflow"
#include <limits.h>

int main(void) {
    volatile int least = INT_MIN;
    return -least > 0;
}
