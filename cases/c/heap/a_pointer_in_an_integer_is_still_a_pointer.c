//@ verdict: holds
//@ verdict with --property valid-memsafety: holds
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

uintptr_t hidden;

int main(void) {
    hidden = (uintptr_t)malloc(sizeof(int));
    *(int *)hidden = 5;
    assert(*(int *)hidden == 5);
    free((void *)hidden);
}
