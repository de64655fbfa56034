//@ verdict: violated "never set"
#include <pthread.h>

int main(void) {
    int x;
    int *p = &x;
    if (*p > 0)
        return 1;
    return 0;
}
