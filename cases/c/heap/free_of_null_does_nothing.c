//@ verdict: holds
//@ verdict with --property valid-memsafety: holds
#include <stdlib.h>

int main(void) {
    free(NULL);
}
