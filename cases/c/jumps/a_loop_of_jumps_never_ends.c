//@ args: --property termination
//@ verdict: violated
//@ verdict with -DENDS: holds
#include <setjmp.h>

jmp_buf place;
volatile int n;

int main(void) {
    setjmp(place);
#ifdef ENDS
    if (n++ > 3) return 0;
#endif
    longjmp(place, 1);
}
