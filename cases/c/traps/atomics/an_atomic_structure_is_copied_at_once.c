//@ verdict: holds
// Loads and stores of an object of atomic type are atomic as a whole (C11 6.2.6.1p9,
// 7.17.7.1), so the halves belong together.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pair {
    int left, right;
};
_Atomic struct pair shared;

void *write_it(void *unused) {
    struct pair mine = {1, 1};
    shared = mine;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_it, NULL);
    struct pair seen = shared;
    assert(seen.left == seen.right);
    pthread_join(one, NULL);
    return 0;
}
