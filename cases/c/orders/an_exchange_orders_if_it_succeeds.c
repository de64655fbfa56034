//@ verdict: holds presuming sequential-consistency
//@ verdict with -DWEAK: violated "data race"
#include <pthread.h>
#include <stdatomic.h>

/* A lock that is taken by an exchange, which acquires if it succeeds and only then. */
#ifdef WEAK
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_acquire
#endif

atomic_int lock;
int counter;

static void *count(void *arg) {
    int expected = 0;
    if (atomic_compare_exchange_strong_explicit(&lock, &expected, 1, ORDER,
                                                memory_order_relaxed)) {
        counter++;
        atomic_store_explicit(&lock, 0, memory_order_release);
    }
    return arg;
}

int main(void) {
    pthread_t left, right;
    pthread_create(&left, NULL, count, NULL);
    pthread_create(&right, NULL, count, NULL);
    pthread_join(left, NULL);
    pthread_join(right, NULL);
    return 0;
}
