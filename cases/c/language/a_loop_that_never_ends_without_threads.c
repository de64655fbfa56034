//@ verdict: holds
int main(void) {
    volatile int x = 0;
    for (;;)
        x = 1 - x;
}
