//@ verdict: violated "never set"
// It gives nothing, and something is taken.
void nothing(void) {}

int main(void) {
    int (*wrong)(void) = (int (*)(void))nothing;
    if (wrong() == 0)
        return 1;
}
