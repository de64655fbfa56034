//@ args: --threads any
//@ verdict: holds
// Three would break it. The creation lies in a function that is called twice.
// May be unknown: the number of calls matters.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int n_started;

void *work(void *unused) {
    int n_before = atomic_fetch_add(&n_started, 1);
    assert(n_before < 2);
    return 0;
}

void spawn(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
}

int main(void) {
    spawn();
    spawn();
}
