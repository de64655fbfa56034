//@ verdict: violated "never set"
//@ verdict with --property valid-memsafety: violated "never set"
//@ verdict with --property no-data-race: holds
int main(void) {
    int number;
    if (number) return 1;
}
