//@ verdict: holds
//@ verdict with -O2: holds
#include <assert.h>
#include <stdarg.h>

static int sum(int n, ...) {
    va_list arguments;
    int total = 0;
    va_start(arguments, n);
    for (int i = 0; i < n; i++)
        total += va_arg(arguments, int);
    va_end(arguments);
    return total;
}

int main(void) {
    assert(sum(0) == 0 && sum(3, 4, 5, 6) == 15);
    int (*through_a_pointer)(int, ...) = sum;
    assert(through_a_pointer(9, 1, 2, 3, 4, 5, 6, 7, 8, 9) == 45);
}
