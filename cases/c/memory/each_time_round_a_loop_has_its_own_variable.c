//@ verdict: violated "after it was gone"
#include <stddef.h>

int main(void) {
    int *before = NULL;
    for (int i = 0; i < 2; i++) {
        int local = i;
        if (before != NULL)
            return *before;
        before = &local;
    }
}
