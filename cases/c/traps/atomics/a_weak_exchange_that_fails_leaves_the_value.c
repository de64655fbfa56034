//@ verdict: holds
// A spurious failure acts as if the comparison had failed: the value stays, and
// `expected` gets the value that it had (C11 7.17.7.4p4).
#include <assert.h>
#include <stdatomic.h>

atomic_int n;

int main(void) {
    int expected = 0;
    if (atomic_compare_exchange_weak(&n, &expected, 1))
        assert(n == 1);
    else
        assert(n == 0);
    assert(expected == 0);
    return 0;
}
