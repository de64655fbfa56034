//@ args: --threads any
//@ verdict: violated "data race"
// The first two write different places. Fails with 3 threads beside main (N = 2).
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int shared[2];

void *work(void *argument) {
    *(int *)argument = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        for (int j = 0; j < 2; j++)
            pthread_create(&thread, 0, work, &shared[j]);
}
