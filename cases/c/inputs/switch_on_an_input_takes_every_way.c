//@ verdict: violated "default"
#include <assert.h>

char __VERIFIER_nondet_char(void);

int main(void) {
    char c = __VERIFIER_nondet_char();
    switch (c) {
    case 'a':
    case 'b':
        assert(c == 'a' || c == 'b');
        break;
    case 'z':
        assert(c == 122);
        break;
    default:
        assert(c != 'q' || !"default");
    }
}
