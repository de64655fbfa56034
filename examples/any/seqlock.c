//@ verdict with -DN=3: holds
//@ verdict with -DN=3 -DBROKEN: violated
//@ verdict with -DN=2 -DBROKEN: holds
// Not all of it is decided yet for any number of threads: where a claim below has no verdict
// line above, today's answer is UNKNOWN.
//
// A sequence lock: a writer makes the number odd, writes, and makes it even again. A reader
// takes no lock; it reads all, and begins again if the number has changed.
//
//     threadproof check examples/any/seqlock.c --threads any
//
// proves for any number of readers and writers that nobody believes in a pair of which one
// half is old. The number does not come again: after two changes the pair is sealed. With
// -DBROKEN the number has two bits, and goes on with 0 after 3. Then two writers can come
// between the two halves that a reader reads: three threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BROKEN
#define NUMBERS 4
#else
#define NUMBERS 5 /* 0 to 4, the last one seals the pair */
#endif
#define VERSIONS 3

atomic_int sequence;
atomic_int left, right; /* always the same version, for whoever believes in it */

void *write_pair(void *unused) {
    int seen = atomic_load(&sequence);
    do {
        if (seen == 4)
            return NULL;
        while (seen % 2)
            seen = atomic_load(&sequence);
    } while (!atomic_compare_exchange_weak(&sequence, &seen, seen + 1));
    int version = (left + 1) % VERSIONS;
    left = version;
    right = version;
    atomic_store(&sequence, (seen + 2) % NUMBERS);
    return NULL;
}

void *read_pair(void *unused) {
    int before, my_left, my_right;
    do {
        before = atomic_load(&sequence);
        my_left = left;
        my_right = right;
    } while (before % 2 || atomic_load(&sequence) != before);
    assert(my_left == my_right);
    return NULL;
}

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    pthread_t thread;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, NULL, __VERIFIER_nondet_bool() ? read_pair : write_pair, NULL);
}
