//@ verdict: violated "elsewhere"
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

int *known;

static int is_known(void) {
    int local = 0;
    int before = known == &local;
    known = &local;
    return before;
}

int main(void) {
    is_known();
    assert(!is_known() && "elsewhere");
}
