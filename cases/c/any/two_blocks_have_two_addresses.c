//@ args: --threads any
//@ verdict: holds
// May be unknown: the address lies in shared memory and is compared.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

_Atomic(char *) newest;

void *work(void *unused) {
    char *mine = malloc(1);
    char *other = atomic_exchange(&newest, mine);
    assert(other != mine);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
}
