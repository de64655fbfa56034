//@ verdict: holds
// Both exchanges succeed, whatever their order, so `expected` is only read (C11
// 7.17.7.4p2), and reads do not conflict.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int left, right;
int expected;

void *change_left(void *unused) {
    assert(atomic_compare_exchange_strong(&left, &expected, 2));
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, change_left, NULL);
    assert(atomic_compare_exchange_strong(&right, &expected, 2));
    pthread_join(one, NULL);
    assert(expected == 0);
    return 0;
}
