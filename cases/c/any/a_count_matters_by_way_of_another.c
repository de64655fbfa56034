//@ args: --threads any
//@ verdict: violated "is_full == 0"
// The count decides about a flag, and the flag about the assertion. Fails with 3 threads
// beside main.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint n_calls;
atomic_bool is_full;

void *work(void *unused) {
    unsigned mine = atomic_fetch_add(&n_calls, 1);
    unsigned twice = 2 * mine;
    if (twice == 4)
        is_full = 1;
    assert(is_full == 0);
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
