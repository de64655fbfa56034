//@ verdict: unknown "not asked about"
//@ verdict with --property no-overflow: violated "shift"
//@ verdict with --ub: violated "shift"
// Nothing is known about what follows, so nothing is proven without `--ub`.
int main(void) {
    volatile int width = 32;
    volatile unsigned one = 1;
    volatile unsigned shifted = one << width;
    return 0;
}
