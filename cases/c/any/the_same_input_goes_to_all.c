//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: the input has many values.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

void *work(void *argument) {
    int *pair = argument;
    assert(pair[0] == pair[1]);
    return 0;
}

int main(void) {
    static int pair[2];
    pthread_t thread;
    pair[0] = pair[1] = __VERIFIER_nondet_int();
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, pair);
}
