//@ verdict: violated
// When `main` returns its variables end (C11 5.1.2.2.3p1, footnote 11), while the
// handlers of `atexit` are still to run.
#include <assert.h>
#include <stdlib.h>

int *kept;

void last(void) {
    assert(*kept == 5);
}

int main(void) {
    int value = 5;
    kept = &value;
    atexit(last);
    return 0;
}
