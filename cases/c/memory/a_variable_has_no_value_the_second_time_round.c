//@ verdict: violated "never set"
int main(void) {
    int n = 0;
    for (int i = 0; i < 2; i++) {
        int numbers[2];
        if (i == 0)
            numbers[1] = 7;
        if (numbers[1] == 7)
            n++;
    }
    return n;
}
