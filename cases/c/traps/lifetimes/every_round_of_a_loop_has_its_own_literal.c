//@ verdict: violated "after it was gone"
//@ verdict with -DONE: holds
#include <assert.h>
#include <stddef.h>

/* The body of a loop is left after each round; a literal around the loop, or of its head,
   is one object. */
int main(void) {
    int *numbers[3];
    for (int round = 0; round < 3; round++) {
#ifdef ONE
        static int one;
        numbers[round] = &one;
        int *local = &(int){ round };
        assert(*local == round);
#else
        numbers[round] = &(int){ round };
#endif
    }
    assert(*numbers[0] == 0);
    return 0;
}
