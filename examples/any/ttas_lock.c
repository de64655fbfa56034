//@ verdict with --threads any: holds
//@ verdict with --threads any -DBROKEN: violated
//@ verdict with -DN=3: holds
//@ verdict with -DN=2 -DBROKEN: violated
//@ verdict with -DN=1 -DBROKEN: holds
// Test and test-and-set: waiting threads read, which their caches can do alone, and only
// who saw the lock free tries to take it.
//
//     threadproof check examples/any/ttas_lock.c --threads any
//
// proves that one thread at a time is inside, for any number of threads that come back again
// and again. With -DBROKEN the second test is left out: two workers see the lock free at the
// same time, and both take it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

atomic_bool is_locked;
bool is_somebody_inside; /* not atomic: the lock protects it */

void lock(void) {
    do {
        while (atomic_load(&is_locked))
            ;
#ifdef BROKEN
        atomic_store(&is_locked, true);
        break;
#endif
    } while (atomic_exchange(&is_locked, true));
}

void unlock(void) {
    atomic_store(&is_locked, false);
}

void *work(void *unused) {
    while (1) {
        lock();
        assert(!is_somebody_inside);
        is_somebody_inside = true;
        is_somebody_inside = false;
        unlock();
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, NULL, work, NULL);
}
