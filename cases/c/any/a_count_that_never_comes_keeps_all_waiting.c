//@ args: --threads any
//@ verdict: holds
// There are two threads.
// May be unknown: their number matters.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint n_started;

void *work(void *unused) {
    n_started++;
    while (n_started < 3)
        ;
    assert(!"past");
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_create(&thread, 0, work, 0);
}
