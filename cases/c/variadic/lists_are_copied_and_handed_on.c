//@ verdict: holds
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int greatest(int n, va_list arguments) {
    int greatest = va_arg(arguments, int);
    while (--n > 0) {
        int next = va_arg(arguments, int);
        if (next > greatest)
            greatest = next;
    }
    return greatest;
}

static int twice(int n, ...) {
    va_list arguments, again;
    va_start(arguments, n);
    va_copy(again, arguments);
    int result = greatest(n, arguments) + greatest(n, again);
    va_end(again);
    va_end(arguments);
    return result;
}

static int print(char *to, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to, size, format, arguments);
    va_end(arguments);
    return length;
}

int main(void) {
    assert(twice(8, 3, 1, 4, 1, 5, 9, 2, 6) == 18);
    char text[32];
    int length = print(text, sizeof text, "%s %d %ld %.1f %*d %c", "a", -1, 7l, 2.5, 3, 4, 'z');
    assert(length == 16 && strcmp(text, "a -1 7 2.5   4 z") == 0);
    assert(print(text, 3, "%d", 12345) == 5 && strcmp(text, "12") == 0);
}
