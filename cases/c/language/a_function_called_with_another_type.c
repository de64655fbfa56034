//@ verdict: violated "too few arguments"
// C11 6.5.2.2: the types must fit.
int add(int a, int b) { return a + b; }

int main(void) {
    int (*wrong)(int) = (int (*)(int))add;
    return wrong(1);
}
