//@ verdict: holds
// Completion of the effective call synchronises with all other calls with that flag (C11
// 7.26.2.1p2).
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

once_flag once = ONCE_FLAG_INIT;
int table;

void initialise(void) {
    table = 5;
}

int work(void *unused) {
    call_once(&once, initialise);
    return table;
}

int main(void) {
    thrd_t one, two;
    int left, right;
    thrd_create(&one, work, NULL);
    thrd_create(&two, work, NULL);
    thrd_join(one, &left);
    thrd_join(two, &right);
    assert(left == 5 && right == 5);
    return 0;
}
