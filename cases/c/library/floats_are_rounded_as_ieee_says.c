//@ verdict: holds
//@ verdict with -O2: holds
#include <assert.h>
#include <math.h>

int main(void) {
    volatile double x = 2.25, half = 2.5;
    volatile float narrow = 2.25f;
    assert(sqrt(x) == 1.5 && sqrtf(narrow) == 1.5f && fabs(-x) == x);
    assert(floor(-x) == -3 && ceil(x) == 3 && trunc(-x) == -2);
    assert(round(half) == 3 && rint(half) == 2 && lround(-half) == -3);
    assert(fmod(7.5, x) == 0.75 && fmax(x, 1) == x && fmin(x, NAN) == x);
    assert(copysign(x, -0.0) == -x && fma(x, x, -x) == 2.8125);
}
