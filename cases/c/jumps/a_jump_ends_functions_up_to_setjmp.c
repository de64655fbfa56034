//@ verdict: holds
//@ verdict with -DRETURNED: violated "does not run any more"
//@ verdict with -DCALLED_AGAIN: violated "does not run any more"
//@ verdict with -DSEVERAL: holds
//@ verdict with -O1: holds
//@ verdict with -O2: holds
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;
static int depth;

static void dive(int more) {
    volatile int own = more;
    depth++;
    if (more == 0) longjmp(place, 7);
    dive(own - 1);
    assert(0);
}

static int try_it(int first) {
    volatile int count = 0;
    int kept = first + 3;
    int error = setjmp(place);
    if (error == 0) {
        count = count + 5;
        dive(3);
        assert(0);
    }
    assert(error == 7 && count == 5 && kept == first + 3);
    return kept;
}

static void only_set(int is_set) {
    if (is_set) setjmp(place);
#ifdef CALLED_AGAIN
    else longjmp(place, 1);
#endif
}

int main(void) {
    assert(try_it(1) == 4);
    assert(depth == 4);
    switch (setjmp(place)) {
        case 0: longjmp(place, 0);
        case 1: break;
        default: assert(0);
    }
    only_set(1);
#ifdef RETURNED
    longjmp(place, 1);
#endif
#ifdef CALLED_AGAIN
    only_set(0);
#endif
#ifdef SEVERAL
    jmp_buf first, second;
    if (setjmp(first) == 0) {
        if (setjmp(second) == 0) longjmp(first, 1);
    }
#endif
}
