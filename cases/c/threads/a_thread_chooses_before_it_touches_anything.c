//@ verdict: violated "chosen != 2"
//@ verdict with -DBELOW=2: holds
// Each thread begins with choices of its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef BELOW
#define BELOW 3
#endif

extern _Bool __VERIFIER_nondet_bool(void);

atomic_int chosen;

void *chooses(void *unused) {
    int n = 0;
    while (n < BELOW - 1 && __VERIFIER_nondet_bool())
        n++;
    chosen = n;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, chooses, NULL);
    pthread_create(&b, NULL, chooses, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(chosen != 2);
}
