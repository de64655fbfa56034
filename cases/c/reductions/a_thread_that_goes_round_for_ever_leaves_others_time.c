//@ args: --property unreach-call
//@ verdict: violated "never"
//@ verdict with --reduction global: violated "never"
//@ verdict with --reduction none: violated "never"
// The first thread goes round with a variable of its own. It may write what the second
// touches, so the second never goes alone; if the first does for ever, nothing else happens.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int own, both;

static void *go_round(void *unused) {
    for (;;) {
        int old = own;
        own = !old;
        if (old == 2)
            both = 1;
    }
    return NULL;
}

static void *fail(void *unused) {
    both = 2;
    int never = both == 2;
    assert(!never);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, go_round, NULL);
    pthread_create(&b, NULL, fail, NULL);
    pthread_exit(NULL);
}
