//@ args: --threads any
//@ verdict: violated "detached"
// Fails with 1 thread beside main.
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

void *work(void *unused) {
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++) {
        pthread_create(&thread, 0, work, 0);
        pthread_detach(thread);
        pthread_join(thread, 0);
    }
}
