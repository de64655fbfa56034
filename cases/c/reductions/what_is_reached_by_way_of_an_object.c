//@ args: --property unreach-call
//@ verdict: violated "both"
//@ verdict with --reduction global: violated "both"
//@ verdict with --reduction none: violated "both"
// The second thread gets at the block by a variable, the first has its address from the
// start. If only the variable counts as reached by the second, the first goes alone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct block {
    atomic_int left, right;
};

struct block *_Atomic known;
int seen_left, seen_right;
pthread_t a, b;

static void *first(void *address) {
    struct block *block = address;
    block->left = 1;
    seen_right = block->right;
    known = NULL;
    return NULL;
}

static void *second(void *unused) {
    struct block *block = known;
    if (block) {
        block->right = 1;
        seen_left = block->left;
    }
    return NULL;
}

static __attribute__((noinline)) void start(void) {
    struct block *block = calloc(1, sizeof *block);
    known = block;
    pthread_create(&a, NULL, first, block);
    pthread_create(&b, NULL, second, NULL);
}

int main(void) {
    start();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int both = seen_left && seen_right;
    assert(!both);
}
