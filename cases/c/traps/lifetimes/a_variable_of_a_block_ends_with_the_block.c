//@ verdict: violated "gone"
// The object lives until execution of its block ends (C11 6.2.4p6); the pointer keeps
// nothing alive.

int main(void) {
    int *kept;
    {
        int inner = 5;
        kept = &inner;
    }
    return *kept;
}
