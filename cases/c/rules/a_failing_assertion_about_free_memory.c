//@ verdict: violated
//@ rule: assertion
// The names speak of all other rules.
#include <assert.h>

int main(void) {
    int free_mutex_overflow = 0, data_race_of_blocks = 1;
    assert(free_mutex_overflow == data_race_of_blocks);
}
