//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

void *work(void *argument) {
    long number = (long)argument;
    number++;
    assert(number == (long)argument + 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, (void *)(long)i);
}
