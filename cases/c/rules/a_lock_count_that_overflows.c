//@ args: --ub
//@ verdict: violated "overflows"
//@ rule: overflow
#include <limits.h>

int main(void) {
    volatile int freed_locks = INT_MAX;
    int divided = freed_locks + 1;
    return divided == 3;
}
