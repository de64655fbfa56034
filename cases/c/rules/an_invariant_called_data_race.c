//@ args: --invariant data_race_assertion
//@ verdict: violated "data_race_assertion"
//@ rule: reachable
#include <stdatomic.h>

atomic_int freed_lock;

int data_race_assertion(void) { return freed_lock < 2; }

int main(void) {
    freed_lock++;
    freed_lock++;
}
