//@ verdict: violated "second"
// Last registered, first run.
#include <assert.h>
#include <stdlib.h>

int n_run;

void first(void) { assert(n_run == 1); }
void second(void) {
    assert(n_run == 0);
    n_run++;
    assert(!"second");
}

int main(void) {
    atexit(first);
    atexit(second);
    return 0;
}
