//@ args: --threads any
//@ verdict: violated "n_before < 2"
// Fails with 3 threads beside main.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int n_started;

void *work(void *unused) {
    int n_before = atomic_fetch_add(&n_started, 1);
    assert(n_before < 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, work, 0);
}
