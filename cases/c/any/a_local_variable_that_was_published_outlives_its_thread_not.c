//@ args: --threads any --property unreach-call,valid-memsafety
//@ verdict: violated
// Fails with 2 threads beside main, of which one has ended.
#include <pthread.h>
#include <stdatomic.h>

_Atomic(int *) published;

void *work(void *unused) {
    int mine = 0;
    int *theirs = published;
    published = &mine;
    if (theirs)
        *theirs = 1;
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
