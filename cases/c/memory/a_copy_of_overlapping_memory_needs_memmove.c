//@ verdict: holds
//@ verdict with -DCOPY=memcpy: violated "overlap"
#include <assert.h>
#include <string.h>

#ifndef COPY
#define COPY memmove
#endif

int main(void) {
    char text[6] = "abcde";
    char *to = text + 1;
    COPY(to, text, 4);
    assert(memcmp(text, "aabcd", 6) == 0);
}
