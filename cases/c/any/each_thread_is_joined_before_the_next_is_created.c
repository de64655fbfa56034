//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// There is never more than one worker.
// May be unknown: a join of one thread says nothing of others.
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int shared;

void *work(void *unused) {
    shared++;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++) {
        pthread_create(&thread, 0, work, 0);
        pthread_join(thread, 0);
        shared = 0;
    }
}
