//@ verdict: holds
//@ verdict with -O2: holds
#include <assert.h>
#include <stdarg.h>
#include <stddef.h>

struct pair { long first, second; };
struct large { int numbers[6]; };
struct floats { float x, y, z; };
struct mixed { double real; int whole; };

static double all(const char *kinds, ...) {
    double total = 0;
    va_list arguments;
    va_start(arguments, kinds);
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i': total += va_arg(arguments, int); break;
        case 'u': total += va_arg(arguments, unsigned long long); break;
        case 'd': total += va_arg(arguments, double); break;
        case 'p': total += *va_arg(arguments, int *); break;
        case '2': total += va_arg(arguments, struct pair).second; break;
        case '6': total += va_arg(arguments, struct large).numbers[5]; break;
        case 'f': total += va_arg(arguments, struct floats).z; break;
        case 'm': {
            struct mixed mixed = va_arg(arguments, struct mixed);
            total += mixed.real + mixed.whole;
        }
        }
    }
    va_end(arguments);
    return total;
}

int main(void) {
    int one = 1;
    struct pair pair = {0, 4};
    struct large large = {{[5] = 8}};
    struct floats floats = {0, 0, 16};
    struct mixed mixed = {0.5, 32};
    assert(all("iudp", 'a', 2ull, 0.25, &one) == 'a' + 3.25);
    assert(all("2m6fid2", pair, mixed, large, floats, 1, 0.25, pair) == 65.75);
}
