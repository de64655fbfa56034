//@ args: --property unreach-call
//@ verdict: violated "both"
//@ verdict with --reduction global: violated "both"
//@ verdict with --reduction none: violated "both"
//@ verdict with -DTABLE: violated "both"
// Each thread writes before it reads, and both see the other's write. A thread that goes
// alone, because what the other will touch is named only in its function, or in a function
// of a table that this one names, is first or last.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int left, right;
int seen_left, seen_right;

static void write_left(void) {
    left = 1;
    seen_right = right;
}

static void write_right(void) {
    right = 1;
    seen_left = left;
}

#ifdef TABLE
static void (*const work[2])(void) = {write_left, write_right};
#endif

static void *go(void *number) {
#ifdef TABLE
    work[(long)number]();
#else
    if (number)
        write_right();
    else
        write_left();
#endif
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, go, (void *)0L);
    pthread_create(&b, NULL, go, (void *)1L);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int both = seen_left && seen_right;
    assert(!both);
}
