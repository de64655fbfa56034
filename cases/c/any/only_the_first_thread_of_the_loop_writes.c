//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: the counter of the loop tells who it is.
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int shared;

void *write(void *unused) {
    shared++;
    return 0;
}

void *look_away(void *unused) {
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, i == 0 ? write : look_away, 0);
}
