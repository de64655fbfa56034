//@ args: --threads any
//@ verdict: violated "flag == 0"
// Fails with 2 threads beside main.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);
atomic_int flag;

void *work(void *unused) {
    __VERIFIER_assume(flag == 0);
    assert(flag == 0);
    flag = 1;
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
