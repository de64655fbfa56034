//@ verdict: violated "is_seen == 0"
// The thread stops at its assumption, but its store is there for others to see.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);
atomic_int is_seen;

void *stop(void *unused) {
    is_seen = 1;
    __VERIFIER_assume(0);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, stop, NULL);
    assert(is_seen == 0);
}
