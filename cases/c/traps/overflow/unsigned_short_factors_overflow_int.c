//@ args: --property no-overflow
//@ verdict: violated
// Both factors are promoted to `int` (C11 6.3.1.1p2), and 65535 squared is no `int`.

int main(void) {
    volatile unsigned short factor = 65535;
    unsigned product = factor * factor;
    return product == 0;
}
