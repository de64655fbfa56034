//@ verdict: violated "free"
#include <stdlib.h>

int main(void) {
    int x = 0;
    int *p = &x;
    free(p);
}
