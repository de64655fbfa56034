//@ verdict: violated "elsewhere"
// Two calls, one after the other: their local variables may have one address.
#include <assert.h>
#include <stdint.h>

static uintptr_t here(void) {
    volatile int local = 0;
    return (uintptr_t)&local;
}

int main(void) {
    uintptr_t first = here(), second = here();
    assert(first != second && "elsewhere");
}
