//@ args: --property termination
//@ verdict: violated
// Both threads wait for values that never come; their exchanges fail because of the value
// and not spuriously (C11 7.17.7.4p2).
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int n;

void *up(void *unused) {
    int expected = 1;
    while (!atomic_compare_exchange_weak(&n, &expected, 0))
        expected = 1;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, up, NULL);
    int expected = 2;
    while (!atomic_compare_exchange_weak(&n, &expected, 0))
        expected = 2;
    pthread_join(one, NULL);
    return 0;
}
