//@ verdict: violated "never 77"
//@ verdict with -DEXACT: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);
atomic_int shared;

void *look(void *unused) {
    int seen = shared;
    if (seen == 77) {
#ifdef EXACT
        assert(seen == 77 && (shared == 77 || shared == 3));
#else
        assert(!"never 77");
#endif
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    shared = __VERIFIER_nondet_int();
    pthread_create(&t, NULL, look, NULL);
    if (shared > 5)
        shared = 3;
    pthread_join(t, NULL);
}
