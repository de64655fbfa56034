//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: a join of one thread of many.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

void *child(void *argument) {
    *(int *)argument = 1;
    return 0;
}

void *work(void *unused) {
    pthread_t thread;
    int mine = 0;
    pthread_create(&thread, 0, child, &mine);
    pthread_join(thread, 0);
    assert(mine == 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
}
