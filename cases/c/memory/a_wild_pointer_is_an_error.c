//@ verdict: violated
int main(void) {
    int *p = (int *)16;
    *p = 1;
}
