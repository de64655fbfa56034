//@ args: --property unreach-call
//@ verdict: holds
//@ verdict with -DBEFORE: violated "assertion"
//@ verdict with --reduction none: holds
#include <assert.h>
#include <stddef.h>

int main(void) {
    int *nowhere;
    if (nowhere == NULL) {
#ifdef BEFORE
        assert(nowhere != NULL);
#endif
        return 0;
    }
    *nowhere = 4;
    assert(0);
}
