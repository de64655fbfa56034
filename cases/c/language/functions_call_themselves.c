//@ verdict: holds
#include <assert.h>

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int is_odd(unsigned n);
int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

int main(void) {
    assert(fibonacci(12) == 144);
    assert(is_even(100) && !is_odd(100));
}
