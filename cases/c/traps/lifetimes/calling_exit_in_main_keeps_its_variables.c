//@ verdict: holds
// `exit` is called while `main` still runs, so its variables live (C11 5.1.2.2.3p1,
// footnote 11).
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
    exit(0);
}
