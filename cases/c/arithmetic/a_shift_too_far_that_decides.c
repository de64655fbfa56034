//@ verdict: violated "never set"
//@ verdict with --ub: violated "shift"
int main(void) {
    volatile int width = 32;
    unsigned shifted = 1u << width;
    if (shifted == 0)
        return 1;
    return 0;
}
