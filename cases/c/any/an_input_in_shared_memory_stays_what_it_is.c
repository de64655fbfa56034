//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int setting;

void *work(void *unused) {
    int first = setting;
    if (first > 3)
        assert(setting > 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    setting = __VERIFIER_nondet_int();
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, 0);
}
