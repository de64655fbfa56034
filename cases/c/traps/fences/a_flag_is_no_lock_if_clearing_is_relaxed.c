//@ verdict: violated "data race"
// Nobody is inside with another, but a relaxed clear synchronises with nothing (C11
// 7.17.3p2).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_flag lock = ATOMIC_FLAG_INIT;
int n;

void *count(void *unused) {
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        ;
    n++;
    atomic_flag_clear_explicit(&lock, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, count, NULL);
    pthread_create(&two, NULL, count, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(n == 2);
    return 0;
}
