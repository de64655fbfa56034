//@ verdict with --property no-overflow -DSIGN: violated "shift to the left"
//@ verdict with --property no-overflow -DSIGN --reduction none: violated "shift to the left"
//@ verdict with --property no-overflow -DNEGATIVE: violated "shift to the left"
//@ verdict with --property no-overflow -DBYTE: violated "shift to the left"
//@ verdict with --property no-overflow -DASSIGN: violated "shift to the left"
//@ verdict with --property no-overflow -DLONG: violated "shift to the left"
//@ verdict with --property no-overflow -DFIELD: violated "shift to the left"
//@ verdict with --property no-overflow -DINPUT: violated "shift to the left"
//@ verdict with --property no-overflow -DFAR: violated "is shifted by"
//@ verdict with --property no-overflow -DBACK: violated "is shifted by"
//@ verdict with --property all -DSIGN: violated "shift to the left"
//@ verdict with --ub -DSIGN: violated "shift to the left"
//@ verdict with -DSIGN: holds
//@ verdict with --property no-overflow: holds
//@ verdict with --property no-overflow --m32: holds
// C11 6.5.7p4: what is shifted must not be negative, and the result must fit into its type.
int __VERIFIER_nondet_int(void);

volatile int one = 1, n = 31;
volatile unsigned char byte = 255;
struct {
    int narrow : 5;
} field = {15};

int main(void) {
    // All of this is defined: narrow types are promoted, conversions back lose bits, and
    // numbers without a sign never overflow.
    unsigned wide = 1u << 31;
    short small = (short)(one << 15);
    field.narrow = field.narrow << 1;
    int most = one << 30;
    unsigned char lost = (unsigned char)(byte << 7);
    long long far = 1LL << 62;
#ifdef SIGN
    most = one << 31;
#elif defined NEGATIVE
    most = -one << 1;
#elif defined BYTE
    most = byte << 24;
#elif defined ASSIGN
    most <<= 1;
#elif defined LONG
    far <<= 1;
#elif defined FIELD
    field.narrow = -1;
    field.narrow <<= 1;
#elif defined INPUT
    int input = __VERIFIER_nondet_int();
    if (input > 28 && input < 32)
        most = 2 << input;
#elif defined FAR
    most = one << (n + 1);
#elif defined BACK
    most = one << (n - 32);
#endif
    return wide == 7 && small == 7 && most == 7 && lost == 7 && far == 7;
}
