//@ verdict: violated "longer than that"
//@ verdict with -DBOUNDED: unknown "some of their values"
#include <stdio.h>

int main(void) {
    char name[8];
#ifdef BOUNDED
    return scanf("%7s", name) != 1;
#else
    return scanf("%s", name) != 1;
#endif
}
