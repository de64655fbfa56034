//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

void *work(void *unused) {
    int *mine = malloc(sizeof *mine);
    *mine = 1;
    assert(*mine == 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
}
