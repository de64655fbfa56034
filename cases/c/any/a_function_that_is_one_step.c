//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>

int n_inside;

_Bool __VERIFIER_atomic_enter(void) {
    if (n_inside == 2)
        return 0;
    n_inside++;
    return 1;
}

void __VERIFIER_atomic_leave(void) {
    assert(n_inside == 1 || n_inside == 2);
    n_inside--;
}

void *work(void *unused) {
    if (__VERIFIER_atomic_enter())
        __VERIFIER_atomic_leave();
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
