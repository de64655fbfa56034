//@ verdict: violated "out of bounds"
//@ rule: memory-safety
// `blocks` has `lock` in its name.
int blocks[2];

int main(void) {
    volatile int data_race = 2;
    return blocks[data_race];
}
