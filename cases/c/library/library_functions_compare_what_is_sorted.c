//@ verdict: holds
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char words[3][4] = {"two", "one", "six"};
    qsort(words, 3, 4, (int (*)(const void *, const void *))strcmp);
    assert(!strcmp(words[0], "one") && !strcmp(words[2], "two"));
}
