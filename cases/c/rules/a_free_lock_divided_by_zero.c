//@ verdict: violated "divided by zero"
//@ rule: division
int main(void) {
    volatile int free_lock = 0, overflow = 7;
    return overflow / free_lock;
}
