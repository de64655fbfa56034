//@ args: --property no-overflow
//@ verdict: holds
// For signed types, atomic_fetch_add wraps around silently; there are no undefined
// results (C11 7.17.7.5p3).
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int n = INT_MAX - 1;

void *count(void *unused) {
    atomic_fetch_add(&n, 1);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, count, NULL);
    pthread_create(&two, NULL, count, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(n == INT_MIN);
    return 0;
}
