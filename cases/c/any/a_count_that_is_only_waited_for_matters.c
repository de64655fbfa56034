//@ args: --threads any
//@ verdict: violated "past"
// Nothing is computed from the count, but who comes past the loop depends on it. Fails with
// 3 threads beside main.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint n_started;

void *work(void *unused) {
    n_started++;
    while (n_started < 3)
        ;
    assert(!"past");
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
