//@ args: --threads any --property unreach-call
//@ verdict: violated "n_inside == 1"
// Fails with 2 threads beside main.
#include <assert.h>
#include <pthread.h>

int n_inside;

void __VERIFIER_atomic_enter(void) {
    n_inside = 1;
}

void __VERIFIER_atomic_leave(void) {
    n_inside = 0;
}

void __VERIFIER_atomic_look(void) {
    assert(n_inside == 1);
}

void *work(void *unused) {
    __VERIFIER_atomic_enter();
    __VERIFIER_atomic_look();
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
