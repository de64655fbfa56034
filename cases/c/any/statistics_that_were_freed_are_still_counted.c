//@ args: --threads any --property unreach-call,valid-memsafety
//@ verdict: violated
// Fails with 1 thread beside main.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

void *work(void *argument) {
    atomic_fetch_add((atomic_uint *)argument, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    atomic_uint *total = malloc(sizeof *total);
    atomic_init(total, 0);
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, total);
    free(total);
    pthread_exit(0);
}
