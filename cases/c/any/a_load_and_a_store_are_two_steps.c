//@ args: --threads any
//@ verdict: violated "counted > seen"
// A store that comes late takes away what was counted. Fails with 3 threads beside main.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int n_counted;

void *work(void *unused) {
    int seen = n_counted;
    if (seen == 2)
        return 0;
    n_counted = seen + 1;
    int counted = n_counted;
    assert(counted > seen);
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
