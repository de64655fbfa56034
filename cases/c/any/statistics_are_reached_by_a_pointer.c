//@ args: --threads any
//@ verdict: violated "total == 0"
// What is counted by way of a pointer is the variable that is asserted. Fails with 1 thread
// beside main.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int total;
atomic_int *statistics = &total;

void *work(void *unused) {
    atomic_fetch_or(statistics, 1);
    assert(total == 0);
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
