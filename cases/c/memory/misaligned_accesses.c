//@ verdict: holds
//@ fixme: C11 6.3.2.3 makes such a pointer undefined; alignment is not looked at yet
#include <stdlib.h>

int main(void) {
    char *bytes = calloc(1, 8);
    int *odd = (int *)(bytes + 1);
    int value = *odd;
    free(bytes);
    return value;
}
