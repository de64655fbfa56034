//@ verdict with --property unreach-call: holds
//@ verdict with --property unreach-call -DWRONG: violated "assertion"
//@ args: --max-states 400
// Whether an input is zero is a value that is computed from it; nothing is split before
// somebody branches on that. Splitting sixteen inputs at once would be 65,536 ways.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int a[16], b[16];

int main(void) {
    for (int i = 0; i < 16; i++) {
        int x = __VERIFIER_nondet_int();
        a[i] = x;
        b[i] = x;
    }
    for (int i = 0; i < 16; i++)
        assert(!a[i] != b[i]);
#ifdef WRONG
    _Bool is_large = a[3] > 5;
    assert(is_large + a[3] != 8);
#endif
}
