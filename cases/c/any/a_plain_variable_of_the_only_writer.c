//@ args: --threads any
//@ verdict: holds
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int written;

void *write(void *unused) {
    written++;
    return 0;
}

void *look_away(void *unused) {
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, write, 0);
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, look_away, 0);
}
