//@ verdict: violated "out of bounds"
//@ verdict with -DCHECKED: holds
#include <stdio.h>

int main(void) {
    int numbers[4] = {0}, n;
    if (scanf("%d", &n) != 1)
        return 1;
#ifdef CHECKED
    if (n < 0 || n > 3)
        return 1;
#endif
    return numbers[n];
}
