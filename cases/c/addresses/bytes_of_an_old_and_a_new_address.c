//@ verdict: unknown "bytes of addresses are compared that may be equal by chance"
//@ verdict with -DALIVE: holds
// `memcmp` sees that an address has come again as `==` does.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    int *one = malloc(sizeof *one), *kept = one;
#ifndef ALIVE
    free(one);
#endif
    int *other = malloc(sizeof *other);
    assert(memcmp(&kept, &other, sizeof other) != 0);
    assert(memcmp(&kept, &one, sizeof one) == 0);
#ifdef ALIVE
    free(one);
#endif
    free(other);
}
