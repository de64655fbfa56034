//@ verdict: holds
#include <assert.h>
#include <stddef.h>

/* The example of C11, 6.5.2.5, with its block entered once: both times it is one object. */
struct list { int number; };

static int meet(void) {
    struct list *last = NULL, *now;
    int j = 0;
again:
    now = last, last = &((struct list){ j++ });
    if (j < 2)
        goto again;
    return last == now && now->number == 1;
}

static int meet_in_a_block(int rounds) {
    int same = 0;
    while (rounds-- > 0) {
        struct list *last = NULL, *now;
        int j = 0;
    again:
        now = last;
        last = &((struct list){ j++ });
        if (j < 2)
            goto again;
        same += last == now && now->number == 1;
    }
    return same;
}

int main(void) {
    assert(meet());
    assert(meet_in_a_block(2) == 2);
    return 0;
}
