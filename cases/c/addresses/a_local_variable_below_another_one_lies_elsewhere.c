//@ verdict: holds
// The caller's variable lives while the function runs.
#include <assert.h>
#include <stdint.h>

static uintptr_t here(void) {
    volatile int local = 0;
    return (uintptr_t)&local;
}

int main(void) {
    int mine = 0;
    uintptr_t first = here();
    assert(first != (uintptr_t)&mine && here() != (uintptr_t)&mine);
}
