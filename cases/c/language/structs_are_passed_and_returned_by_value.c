//@ verdict: holds
#include <assert.h>

struct small { char a; short b; };
struct large { long numbers[5]; struct small small; };

struct small swap(struct small s) {
    struct small result = {(char)s.b, s.a};
    s.a = 99;
    return result;
}

struct large grow(struct large l, int by) {
    for (int i = 0; i < 5; i++)
        l.numbers[i] += by;
    l.small = swap(l.small);
    return l;
}

int main(void) {
    struct large l = {{1, 2, 3, 4, 5}, {6, 7}}, g = grow(l, 10);
    assert(l.numbers[4] == 5 && l.small.a == 6);
    assert(g.numbers[0] == 11 && g.numbers[4] == 15 && g.small.a == 7 && g.small.b == 6);
}
