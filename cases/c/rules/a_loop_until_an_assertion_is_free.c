//@ args: --property termination
//@ verdict: violated
//@ rule: liveness
// A run that goes on for ever has no witness.
#include <stdatomic.h>

atomic_int assertion_is_free;

int main(void) {
    while (!assertion_is_free)
        ;
}
