//@ verdict: holds
//@ verdict with -O2: holds
#include <assert.h>
#include <stdarg.h>

struct padded {
    long number;
    char letter;
};

static int last(int n, ...) {
    struct padded padded = {0};
    va_list arguments;
    va_start(arguments, n);
    while (n-- > 0)
        padded = va_arg(arguments, struct padded);
    va_end(arguments);
    return padded.letter;
}

int main(void) {
    struct padded padded = {1, 'x'};
    assert(last(1, padded) == 'x' && last(4, padded, padded, padded, padded) == 'x');
}
