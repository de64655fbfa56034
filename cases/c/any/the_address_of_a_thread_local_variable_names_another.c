//@ args: --threads any
//@ verdict: violated "owner == &me"
// May be unknown: the address lies in shared memory and is compared.
// Fails with 2 threads beside main.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Thread_local char me;
_Atomic(char *) owner;

void *work(void *unused) {
    owner = &me;
    assert(owner == &me);
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
