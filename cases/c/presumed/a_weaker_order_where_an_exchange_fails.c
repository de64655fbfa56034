//@ verdict: holds
//@ verdict with -DWEAK: holds presuming sequential-consistency
//@ verdict with -DWEAK --memory-model sc: holds
//@ verdict with -DWEAK --property termination: holds presuming sequential-consistency
//@ verdict with -DWEAK --property termination --memory-model sc: holds
//@ verdict with -DWEAK --invariant is_small: holds presuming sequential-consistency
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* What an exchange reads in vain is a load of its own order. */
#ifdef WEAK
#define IN_VAIN memory_order_relaxed
#else
#define IN_VAIN memory_order_seq_cst
#endif

atomic_int owner;

int is_small(void) { return owner <= 2; }

static void *take(void *arg) {
    int nobody = 0;
    atomic_compare_exchange_strong_explicit(&owner, &nobody, 2, memory_order_seq_cst, IN_VAIN);
    return arg;
}

int main(void) {
    pthread_t thread;
    int nobody = 0;
    pthread_create(&thread, NULL, take, NULL);
    atomic_compare_exchange_strong_explicit(&owner, &nobody, 1, memory_order_seq_cst, IN_VAIN);
    pthread_join(thread, NULL);
    assert(owner == 1 || owner == 2);
    return 0;
}
