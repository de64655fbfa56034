//@ verdict: holds
#include <assert.h>
#include <stdatomic.h>

int main(void) {
    atomic_int x = 1;
    int expected = 1;
    assert(atomic_compare_exchange_strong(&x, &expected, 2));
    assert(!atomic_compare_exchange_strong(&x, &expected, 3));
    assert(expected == 2 && x == 2);
    assert(atomic_exchange(&x, 9) == 2);
    assert(atomic_fetch_or(&x, 6) == 9 && x == 15);
    assert(atomic_fetch_and(&x, 3) == 15 && x == 3);
    assert(atomic_fetch_xor(&x, 1) == 3 && x == 2);
    assert(atomic_fetch_sub(&x, 5) == 2 && x == -3);
}
