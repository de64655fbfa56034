//@ args: --threads any
//@ verdict: violated "rounds + 1 < 2"
// Fails with 3 threads beside main.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint n_calls;

void *work(void *unused) {
    unsigned mine = atomic_fetch_add(&n_calls, 1);
    for (unsigned rounds = 0; rounds < mine; rounds++)
        assert(rounds + 1 < 2);
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
