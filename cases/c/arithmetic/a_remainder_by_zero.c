//@ verdict: violated "zero"
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    return 10 % __VERIFIER_nondet_uchar();
}
