//@ verdict: holds
//@ verdict with --property no-overflow: violated "shift"
//@ verdict with --ub: violated "shift"
// The result has no value, which is an error by itself only if undefined arithmetic is.
int main(void) {
    volatile int width = 32;
    volatile unsigned one = 1;
    volatile unsigned shifted = one << width;
    return 0;
}
