//@ verdict: violated "is_changed"
// A weak exchange may fail spuriously (C11 7.17.7.4p4), even if nobody interferes.
#include <assert.h>
#include <stdatomic.h>

atomic_int n;

int main(void) {
    int expected = 0;
    int is_changed = atomic_compare_exchange_weak(&n, &expected, 1);
    assert(is_changed);
    return 0;
}
