//@ verdict: holds
#include <assert.h>
#include <stdlib.h>

static int n_started, n_ended;

__attribute__((constructor(102))) static void second(void) { assert(n_started++ == 1); }
__attribute__((constructor(101))) static void first(void) { assert(n_started++ == 0); }
__attribute__((destructor)) static void last(void) { assert(n_ended == 1); }

static void at_exit(void) { n_ended++; }

int main(int argc, char **argv) {
    assert(n_started == 2 && argc == 1);
    atexit(at_exit);
}
