//@ args: --property termination
//@ verdict: violated
// The counter is reduced modulo 256 (C11 6.2.5p9), so the comparison is always true.

volatile unsigned char last;

int main(void) {
    for (unsigned char i = 0; i < 256; i++)
        last = i;
    return 0;
}
