//@ verdict with --threads any -DBROKEN: violated
//@ verdict with --threads any -DREVIVED: violated
//@ verdict with -DN=3: holds
//@ verdict with -DN=1 -DBROKEN: violated
//@ verdict with -DN=1 -DREVIVED: violated
// Not all of it is decided yet for any number of threads: where a claim below has no verdict
// line above, today's answer is UNKNOWN.
//
// An object that lives as long as somebody refers to it. There are at most three references
// at a time; who gets none does without.
//
//     threadproof check examples/any/ref_count.c --threads any
//
// proves that nobody uses the object after it was freed, and that it is freed once. With
// -DBROKEN giving back a reference is two steps, to count down and then to look: main and one
// worker can both find zero. With -DREVIVED a worker takes a reference though there is none
// left, and uses what main has freed. One worker beside main is enough for either.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define MAX_REFERENCES 3

struct object {
    int value;
};

struct object *object;
atomic_int n_references; /* beside the object: it may be looked at when the object is gone */

bool get(void) {
    int seen = atomic_load(&n_references);
    do {
#ifndef REVIVED
        if (seen == 0)
            return false;
#endif
        if (seen == MAX_REFERENCES)
            return false;
    } while (!atomic_compare_exchange_weak(&n_references, &seen, seen + 1));
    return true;
}

void put(void) {
#ifdef BROKEN
    n_references--;
    if (n_references == 0)
        free(object);
#else
    if (atomic_fetch_sub(&n_references, 1) == 1)
        free(object);
#endif
}

void *use(void *unused) {
    if (get()) {
        assert(object->value == 42);
        put();
    }
    return NULL;
}

extern int __VERIFIER_nondet_int(void);

int main(void) {
    object = malloc(sizeof *object);
    object->value = 42;
    atomic_store(&n_references, 1);
#ifdef N
    int n_users = N;
#else
    int n_users = __VERIFIER_nondet_int();
#endif
    pthread_t thread;
    for (int i = 0; i < n_users; i++)
        pthread_create(&thread, NULL, use, NULL);
    put();
}
