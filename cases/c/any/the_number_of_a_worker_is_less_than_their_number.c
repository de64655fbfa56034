//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: the counter of the loop matters.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int n_workers;

void *work(void *argument) {
    assert((long)argument < n_workers);
    return 0;
}

int main(void) {
    pthread_t thread;
    n_workers = N;
    for (long i = 0; i < n_workers; i++)
        pthread_create(&thread, 0, work, (void *)i);
}
