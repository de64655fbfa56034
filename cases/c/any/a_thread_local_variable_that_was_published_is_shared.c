//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main.
#include <pthread.h>
#include <stdatomic.h>

_Thread_local int mine;
_Atomic(int *) published;

void *work(void *unused) {
    int *theirs = published;
    if (theirs)
        *theirs = 1;
    published = &mine;
    mine = 2;
    while (1)
        ;
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
