//@ verdict: holds
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *a = malloc(3), *b = aligned_alloc(64, 64), *c = NULL;
    assert(a != b && a != c && b != NULL);
    free(a);
    free(b);
}
