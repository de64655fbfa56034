//@ verdict: violated "never set"
// C11 7.21.6.8: the list has no value after `vprintf`, and must be copied before.
#include <stdarg.h>
#include <stdio.h>

static void twice(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    vprintf(format, arguments);
    va_end(arguments);
}

int main(void) { twice("%d\n", 1); }
