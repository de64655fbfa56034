//@ args: --threads any
//@ verdict: violated "is_new"
// What is compared is where it lay, as a number. Fails with 2 threads beside main, one of
// which has freed its block.
// May be unknown: the address lies in shared memory and is compared.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

_Atomic(char *) older;

void *work(void *unused) {
    char *mine = malloc(1);
    char *other = older;
    _Bool is_new = other != mine;
    assert(is_new);
    older = mine;
    free(mine);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
}
