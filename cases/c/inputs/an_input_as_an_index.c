//@ verdict: violated "out of bounds"
unsigned char __VERIFIER_nondet_uchar(void);
int row[4];

int main(void) {
    unsigned char i = __VERIFIER_nondet_uchar();
    if (i <= 4)
        row[i] = 1;
}
