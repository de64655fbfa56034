//@ verdict: violated "after it was gone"
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
