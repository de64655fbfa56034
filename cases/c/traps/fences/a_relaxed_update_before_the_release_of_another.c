//@ verdict: violated "data race"
// The second update releases what its own thread did, not what the first one did before
// its relaxed update (C11 5.1.2.4p10 and p11).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int message;
atomic_int n;

void *tell(void *unused) {
    message = 1;
    atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);
    return NULL;
}

void *release(void *unused) {
    atomic_fetch_add_explicit(&n, 1, memory_order_acq_rel);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, tell, NULL);
    pthread_create(&two, NULL, release, NULL);
    if (atomic_load_explicit(&n, memory_order_acquire) == 2)
        assert(message == 1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
