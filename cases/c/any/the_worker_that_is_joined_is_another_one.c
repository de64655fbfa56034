//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main (N = 1), one of which has ended.
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int written;

void *work(void *argument) {
    if (argument)
        written = 1;
    return 0;
}

int main(void) {
    pthread_t writer, thread;
    pthread_create(&writer, 0, work, &written);
    int n = N;
    for (int i = 0; i < n; i++)
        pthread_create(&thread, 0, work, 0);
    if (n > 0) {
        pthread_join(thread, 0);
        written = 2;
    }
}
