//@ verdict: holds
#include <assert.h>

struct fields {
    unsigned a : 3;
    int b : 5;
    unsigned c : 9;
    unsigned long d : 40;
};

int main(void) {
    struct fields f = {0};
    f.a = 7;
    f.b = -16;
    f.c = 511;
    f.d = 1ul << 39;
    f.a += 1;
    assert(f.a == 0 && f.b == -16 && f.c == 511 && f.d == 1ul << 39);
    f.c = 600;
    assert(f.c == 600 - 512 && f.b == -16);
}
