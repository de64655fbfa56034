//@ verdict: holds
//@ verdict with --ub: violated "overflows"
int main(void) {
    volatile __int128 large = (__int128)1 << 126;
    large = large + large;
    return 0;
}
