//@ verdict: holds presuming sequential-consistency
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* Ends and joins of threads order what relaxed atomics need not. */
atomic_int counter;
int plain;

static void *count(void *arg) {
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    return arg;
}

static void *write_plainly(void *arg) {
    plain = 1;
    return count(arg);
}

int main(void) {
    pthread_t left, right;
    pthread_create(&left, NULL, count, NULL);
    pthread_create(&right, NULL, write_plainly, NULL);
    pthread_join(left, NULL);
    pthread_join(right, NULL);
    assert(plain == 1 && atomic_load_explicit(&counter, memory_order_relaxed) == 2);
    return 0;
}
