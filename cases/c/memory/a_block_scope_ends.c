//@ verdict: holds
//@ fixme: the variable ends with its block, and clang marks no ends without optimisation
#include <stddef.h>

int main(void) {
    int *p = NULL;
    for (int i = 0; i < 2; i++) {
        int local = i;
        if (p == NULL)
            p = &local;
    }
    return *p;
}
