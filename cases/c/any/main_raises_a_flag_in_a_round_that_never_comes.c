//@ args: --threads any
//@ verdict: holds
// May be unknown: the counter of the loop matters.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 64
#endif

atomic_bool is_raised;

void *work(void *unused) {
    assert(!is_raised);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++) {
        if (i == N)
            is_raised = 1;
        pthread_create(&thread, 0, work, 0);
    }
}
