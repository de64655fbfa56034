//@ args: --threads any --property unreach-call,valid-memsafety
//@ verdict: violated "out of bounds"
// Fails with 3 threads beside main.
#include <pthread.h>
#include <stdatomic.h>

atomic_uint n_calls;
atomic_int calls[2];

void *work(void *unused) {
    unsigned mine = atomic_fetch_add(&n_calls, 1);
    calls[mine] = 1;
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
