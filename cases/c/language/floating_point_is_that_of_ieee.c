//@ verdict: holds
#include <assert.h>
#include <math.h>

int main(void) {
    volatile double tenth = 0.1, fifth = 0.2, zero = 0.0;
    volatile float third = 1.0f / 3.0f;
    assert(tenth + fifth != 0.3);
    assert((float)(tenth + fifth) == 0.3f);
    assert((double)third != 1.0 / 3.0);
    assert((int)-2.9 == -2 && (unsigned char)(tenth * 2000) == 200);
    double nan = zero / zero, inf = 1 / zero;
    assert(nan != nan && inf > 1e300 && -inf < zero);
    assert(!(nan < 1) && !(nan >= 1));
    assert(16777216.0f + 1.0f == 16777216.0f);
}
