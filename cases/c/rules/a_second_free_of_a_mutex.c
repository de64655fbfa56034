//@ verdict: violated "freed"
//@ rule: invalid-free
#include <stdlib.h>

int main(void) {
    char *assert_mutex = malloc(8);
    free(assert_mutex);
    free(assert_mutex);
}
