//@ args: --threads any --property unreach-call,valid-memsafety
//@ verdict: violated "null"
// What is counted does not matter, but that it is written does. Fails with 2 threads beside
// main.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

_Atomic(_Atomic unsigned *) statistics;
atomic_uint total;

void *work(void *unused) {
    statistics = &total;
    atomic_fetch_add(statistics, 1);
    statistics = NULL;
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
