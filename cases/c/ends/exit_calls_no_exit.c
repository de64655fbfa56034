//@ verdict: violated "`exit` is called"
//@ verdict with -DBY_EXIT: violated "`exit` is called"
//@ verdict with -DAT_ONCE: holds
// C11 7.22.4.4p2: a program that calls `exit` more than once has no defined meaning.
#include <stdlib.h>

void last(void) {
#ifdef AT_ONCE
    _Exit(1);
#else
    exit(1);
#endif
}

int main(void) {
    atexit(last);
#ifdef BY_EXIT
    exit(0);
#endif
    return 0;
}
