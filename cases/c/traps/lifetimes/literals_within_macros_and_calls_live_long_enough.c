//@ verdict: holds
#include <assert.h>
#include <string.h>

/* Statement expressions, heads of loops, arguments, conditional operators, nested literals. */
struct point { int x, y; };
struct line { const struct point *from, *to; };

#define SQUARE(v) ({ int square = (v) * (v); square; })
#define POINT(a, b) (&(struct point){ (a), (b) })

static inline __attribute__((always_inline)) int length(const struct line *line) {
    int dx = line->to->x - line->from->x;
    if (dx < 0) {
        int *negated = &(int){ -dx };
        dx = *negated;
    }
    return dx + SQUARE(line->to->y - line->from->y);
}

static int bounded(struct point *point, int *left) { return point->x + (*left)-- > 2; }

int main(int argc, char **argv) {
    int rounds = 0;
    assert(length(&(struct line){ POINT(1, 2), POINT(3, 4) }) == 6);
    for (struct point *at = POINT(0, 0); at->x < 3; at->x++) {
        struct point *here = at->x ? POINT(at->x, 1) : at;
        if (here != at) {
            rounds += here->y;
            if (argc > 100)
                break;
            continue;
        }
        assert(length(&(struct line){ here, POINT(-1, 0) }) == 1);
    }
    assert(rounds == 2);
    int left = 3;
    while (bounded(POINT(argc + 1, 0), &left))
        rounds--;
    switch (argc) {
    case 1: {
        char *text = (char[]){ "abc" };
        int sum = ({ struct point *p = POINT(SQUARE(2), 3); p->x + p->y; });
        assert(strlen(text) == 3 && sum == 7);
        break;
    }
    default:
        break;
    }
    return argv == 0 || rounds == 5;
}
