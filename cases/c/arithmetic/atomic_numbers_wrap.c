//@ args: --property no-overflow
//@ verdict: holds
// C11 7.17.7.5: atomic signed arithmetic wraps, it has no undefined results.
#include <limits.h>
#include <stdatomic.h>

int main(void) {
    atomic_int big = INT_MAX;
    atomic_fetch_add(&big, 1);
    return big != INT_MIN;
}
