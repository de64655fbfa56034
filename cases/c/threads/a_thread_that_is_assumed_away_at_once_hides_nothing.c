//@ verdict: violated "other == 0"
//@ verdict with -DCHOICE: violated "other == 0"
// The thread comes to a false assumption before it touches anything. It exists all the same,
// and main may have come to its assertion before.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);

int other;

void *nothing(void *unused) {
    int truth = 0;
#ifdef CHOICE
    truth = __VERIFIER_nondet_bool() && __VERIFIER_nondet_bool();
#endif
    __VERIFIER_assume(truth);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    other = 1;
    assert(other == 0);
}
