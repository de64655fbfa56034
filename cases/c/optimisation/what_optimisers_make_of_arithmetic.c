//@ verdict: holds
//@ verdict with -O1: holds
//@ verdict with -O2: holds
//@ verdict with -O3: holds
// Rotation, counting bits, saturation, swapping bytes, minimum: intrinsics when optimised.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

uint32_t __attribute__((noinline)) rotate(uint32_t x, int n) { return x << n | x >> (32 - n); }
int __attribute__((noinline)) ones(uint32_t x) {
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}
int __attribute__((noinline)) least(int a, int b) { return a < b ? a : b; }
unsigned __attribute__((noinline)) minus(unsigned a, unsigned b) { return a > b ? a - b : 0; }
uint32_t __attribute__((noinline)) swap(uint32_t x) {
    return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
}
int __attribute__((noinline)) sum(const int *row, int n) {
    int total = 0;
    for (int i = 0; i < n; i++)
        total += row[i];
    return total;
}

int main(void) {
    int row[9];
    for (int i = 0; i < 9; i++)
        row[i] = i * i;
    assert(rotate(0x80000001u, 4) == 0x18 && ones(0xff0f) == 12);
    assert(least(-3, 2) == -3 && minus(3, 5) == 0 && minus(5, 3) == 2);
    assert(swap(0x12345678) == 0x78563412 && sum(row, 9) == 204 && abs(-4) == 4);
    assert(__builtin_ctz(8) == 3 && __builtin_clz(1) == 31 && __builtin_popcount(7) == 3);
}
