//@ verdict: holds
// The exchange succeeds by an equal address; what it read, and what lies in memory, is the
// new block, which may be used and freed.
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

int *_Atomic place;

int main(void) {
    int *old = malloc(sizeof *old);
    free(old);
    int *fresh = malloc(sizeof *fresh);
    *fresh = 5;
    place = fresh;
    int *expected = old;
    if (atomic_compare_exchange_strong(&place, &expected, fresh)) {
        int *now = place;
        assert(*now == 5 && expected == now);
        free(now);
    } else {
        assert(*expected == 5);
        free(expected);
    }
}
