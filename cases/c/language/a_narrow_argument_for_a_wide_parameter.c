//@ verdict: violated "never set"
int is_zero(long number) { return number == 0; }

int main(void) {
    int (*wrong)(int) = (int (*)(int))is_zero;
    if (wrong(0))
        return 1;
}
