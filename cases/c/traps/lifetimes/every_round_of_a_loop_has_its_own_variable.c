//@ verdict: violated
// A new instance is created each time the block is entered (C11 6.2.4p6), and that of the
// round before is gone.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *kept = NULL;
    for (int i = 0; i < 2; i++) {
        int inner = i;
        if (kept)
            assert(*kept == 0);
        kept = &inner;
    }
    return 0;
}
