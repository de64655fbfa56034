//@ verdict with --property termination: holds
//@ verdict with --property termination --reduction global: holds
//@ verdict with --property termination --reduction none: holds
//@ verdict with --property termination -DSTUCK: violated
//@ verdict with --property termination -DSTUCK --reduction none: violated
//@ verdict with --ltl 'F (n == 2)': violated
// A weak exchange may fail for no reason, but not for ever; one that expects what is never
// there fails for a reason.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int n;

void *count(void *unused) {
    int old = n;
#ifdef STUCK
    old = 7;
    while (!atomic_compare_exchange_weak(&n, &old, old + 1))
        old = 7;
#else
    while (!atomic_compare_exchange_weak(&n, &old, old + 1)) {
    }
#endif
    return NULL;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, NULL, count, NULL);
    count(NULL);
    pthread_join(id, NULL);
}
