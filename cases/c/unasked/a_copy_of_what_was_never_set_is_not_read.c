//@ args: --property unreach-call
//@ verdict: unknown "a copy of what was never set"
// It has the value that the original gets, and only that one.
#include <assert.h>

struct pair {
    int left, right;
};

int main(void) {
    struct pair pair, copy;
    copy = pair;
    assert(copy.left == pair.left);
}
