//@ verdict: unknown "lies directly behind another one"
// C allows both answers (C11 6.5.9p6); that they are neighbours is not followed.
#include <assert.h>

int left, right;

int main(void) {
    int *end = &left + 1;
    assert(end != &right);
}
