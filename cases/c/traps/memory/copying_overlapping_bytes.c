//@ args: --property all
//@ verdict: violated
// If copying takes place between objects that overlap, memcpy is undefined (C11
// 7.24.2.1p2).
#include <string.h>

int main(void) {
    char bytes[4] = {1, 2, 3, 4};
    volatile int by = 1;
    memcpy(bytes + by, bytes, 3);
    return 0;
}
