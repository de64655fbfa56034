//@ verdict with --threads any: holds
//@ verdict with -DN=3: holds
//@ verdict with -DN=4 -DBROKEN: violated
//@ verdict with -DN=3 -DBROKEN: holds
// Not all of it is decided yet for any number of threads: where a claim below has no verdict
// line above, today's answer is UNKNOWN.
//
// A lock for one writer or up to two readers, whose counter has the values 0, 1 and 2.
// Writers may starve: readers can come and go so that the lock is never free.
//
//     threadproof check examples/any/rw_lock.c --threads any
//
// proves that a writer is alone. With -DBROKEN a reader does not look whether the counter is
// at its end. The third reader makes it zero again, and now a writer comes in. It takes three
// readers and a writer, and no fewer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define COUNTS 3
#define WRITER COUNTS

atomic_int state; /* how many readers are inside, or WRITER */
int book;         /* not atomic: the lock protects it */

void lock_to_read(void) {
    int seen = atomic_load(&state);
    do {
#ifdef BROKEN
        while (seen == WRITER)
#else
        while (seen == WRITER || seen == COUNTS - 1)
#endif
            seen = atomic_load(&state);
    } while (!atomic_compare_exchange_weak(&state, &seen, (seen + 1) % COUNTS));
}

void unlock_of_reader(void) {
    int seen = atomic_load(&state);
    while (!atomic_compare_exchange_weak(&state, &seen, (seen + COUNTS - 1) % COUNTS))
        ;
}

void lock_to_write(void) {
    int seen = 0;
    while (!atomic_compare_exchange_weak(&state, &seen, WRITER))
        seen = 0;
}

void unlock_of_writer(void) {
    atomic_store(&state, 0);
}

void *read_book(void *unused) {
    lock_to_read();
    int first = book;
    assert(book == first);
    unlock_of_reader();
    return NULL;
}

void *write_book(void *unused) {
    lock_to_write();
    book = !book;
    unlock_of_writer();
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
        pthread_create(&thread, NULL, __VERIFIER_nondet_bool() ? read_book : write_book, NULL);
}
