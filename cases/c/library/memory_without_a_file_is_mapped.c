//@ args: --property valid-memsafety,unreach-call
//@ verdict: holds
//@ verdict with -DAFTER: violated "after it was freed"
//@ verdict with -DPART: unknown "part of a mapping"
#include <assert.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

int main(void) {
    int *numbers = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(numbers != MAP_FAILED && numbers[1000] == 0);
    madvise(numbers, 8192, MADV_WILLNEED);
    numbers[1000] = 3;
#ifdef PART
    munmap(numbers, 4096);
#else
    munmap(numbers, 8192);
#endif
#ifdef AFTER
    return numbers[1000];
#endif
    prctl(PR_SET_NAME, "it");
    assert(difftime(7, 4) == 3);
}
