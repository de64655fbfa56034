//@ verdict: violated
//@ rule: uninitialised-memory
#include <stdlib.h>

int main(void) {
    int *assert_overflow = malloc(sizeof(int));
    int freed = *assert_overflow > 3;
    if (freed)
        return 1;
    free(assert_overflow);
    return 0;
}
