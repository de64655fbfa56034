//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <threads.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int shared;
mtx_t lock;

int work(void *unused) {
    mtx_lock(&lock);
    shared++;
    assert(shared == 1);
    shared--;
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&lock, mtx_plain);
    for (int i = 0, n = N; i < n; i++)
        thrd_create(&thread, work, 0);
    thrd_exit(0);
}
