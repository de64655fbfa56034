//@ verdict: holds
//@ verdict with -DSTRICTER: unknown
#include <assert.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* C11: memory from `malloc` is aligned for any type, so the lowest bits are known. */
int main(void) {
    char *block = malloc(40);
    assert((uintptr_t)block % alignof(max_align_t) == 0);
    assert(((uintptr_t)block & 7) == 0);
    assert((uintptr_t)(block + 5) % 8 == 5);
    assert((intptr_t)block % 4 == 0);
    assert((char *)(((uintptr_t)block + 15) & ~(uintptr_t)15) == block);
    alignas(64) char buffer[64];
    assert((uintptr_t)buffer % 64 == 0);
#ifdef STRICTER
    assert((uintptr_t)block % 4096 == 0);
#endif
    free(block);
    return 0;
}
