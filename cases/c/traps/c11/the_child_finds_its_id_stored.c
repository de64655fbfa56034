//@ verdict: holds
// Unlike with POSIX, the completion of thrd_create, which has stored the ID, synchronises
// with the beginning of the new thread (C11 7.26.5.1p2).
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

thrd_t child;

int work(void *unused) {
    assert(thrd_equal(child, thrd_current()));
    return 0;
}

int main(void) {
    thrd_create(&child, work, NULL);
    thrd_join(child, NULL);
    return 0;
}
