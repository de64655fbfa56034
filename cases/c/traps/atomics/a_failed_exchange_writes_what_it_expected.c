//@ verdict: violated "data race"
// If the comparison fails, the object that `expected` points to is overwritten (C11
// 7.17.7.4p2), with a plain write.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int n = 1;
int expected;

void *change(void *unused) {
    atomic_compare_exchange_strong(&n, &expected, 2);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, change, NULL);
    pthread_create(&two, NULL, change, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
