//@ verdict: violated "out of bounds"
#include <stdarg.h>

static int sum(int n, ...) {
    va_list arguments;
    int total = 0;
    va_start(arguments, n);
    while (n-- > 0)
        total += va_arg(arguments, int);
    va_end(arguments);
    return total;
}

int main(void) { return sum(3, 1, 2); }
