//@ verdict: violated "after it was gone"
//@ verdict with -DINSIDE: holds
//@ verdict with -DBRANCH: violated "after it was gone"
//@ verdict with -DCOPY: holds
#include <assert.h>

/* C11, 6.5.2.5: its lifetime is that of the innermost block around it. */
struct pair { int left, right; };

static int sum(const struct pair *pair) { return pair->left + pair->right; }

int main(int argc, char **argv) {
    const struct pair *pair = &(struct pair){ 1, 2 };
    struct pair copy;
    assert(sum(pair) == 3);
    {
        int three = argc + 2;
        pair = &(struct pair){ three, 4 };
        copy = (struct pair){ three, 4 };
        assert(sum(pair) == 7);
#ifdef INSIDE
        pair = &copy;
#endif
    }
#ifdef BRANCH
    pair = &copy;
    if (argc)
        pair = &(struct pair){ 3, 4 };
#endif
#ifdef COPY
    pair = &copy;
#endif
    assert(sum(pair) == 7);
    return argv == 0;
}
