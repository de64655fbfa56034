//@ args: --threads any --property no-overflow
//@ verdict: violated
// Fails with 3 threads beside main.
#include <pthread.h>
#include <stdatomic.h>

atomic_uint n_calls;
atomic_uint share;

void *work(void *unused) {
    unsigned mine = atomic_fetch_add(&n_calls, 1);
    share = 10 / (2 - mine);
    return 0;
}

int main(void) {
    pthread_t thread;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
