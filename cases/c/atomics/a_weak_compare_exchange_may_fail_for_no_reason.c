//@ verdict: violated "succeeded"
// C11 7.17.7.4: it may fail even if the values are equal.
#include <assert.h>
#include <stdatomic.h>

int main(void) {
    atomic_int x = 1;
    int expected = 1;
    int succeeded = atomic_compare_exchange_weak(&x, &expected, 2);
    assert(succeeded);
}
