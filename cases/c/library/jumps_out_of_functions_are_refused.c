//@ verdict: unknown "jmp"
#include <setjmp.h>

jmp_buf place;

int main(void) {
    if (setjmp(place) == 0)
        longjmp(place, 1);
}
