//@ verdict with --property unreach-call: holds
//@ verdict with --property unreach-call -DFOUND: violated "assertion"
//@ verdict with --property unreach-call -DROUNDED: violated "assertion"
//@ verdict with --property unreach-call -DSHARED: violated "assertion"
// Larger integers are no smaller floats, so comparing them splits the integers.
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
double wanted;

static void *look(void *unused) {
    assert(wanted != 77.0);
    return unused;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    double d = x;
#if defined FOUND
    assert(d != -12345.0);
#elif defined ROUNDED
    assert((float)x != 16777216.0f || x != 16777217);
#elif defined SHARED
    wanted = __VERIFIER_nondet_int();
    pthread_t t;
    pthread_create(&t, 0, look, 0);
    pthread_join(t, 0);
#else
    assert(d <= 2147483647.0 && d >= -2147483648.0);
    if (d > 2.5 && d < 3.5)
        assert(x == 3);
    if (x == 5)
        assert(d == 5.0);
    assert(d != 0.5);
    assert((double)__VERIFIER_nondet_uint() >= 0);
#endif
}
