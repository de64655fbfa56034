//@ verdict: holds
// A model for other cases; `main` gives way to theirs.
#include <assert.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

static int n_reads;

int read_sensor(int channel) {
    assert(channel >= 0);
    n_reads++;
    int value = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= value && value <= 9);
    return value;
}

int sensor_mode = 3;

// The digit that everybody gets.
int rand(void) { return 4; }

__attribute__((weak)) int main(void) { return read_sensor(0); }
