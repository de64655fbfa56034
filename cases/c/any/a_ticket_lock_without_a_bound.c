//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: the tickets have no bound but the number of threads.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 10000
#endif

atomic_uint next, serving;
int shared;

void *work(void *unused) {
    unsigned mine = atomic_fetch_add(&next, 1);
    while (serving != mine)
        ;
    shared = !shared;
    serving = mine + 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, 0, work, 0);
}
