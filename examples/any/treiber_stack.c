//@ verdict with -DN=3: holds
//@ verdict with -DN=4: violated
//@ verdict with -DN=3 -DFIXED: holds
// Not all of it is decided yet for any number of threads: where a claim below has no verdict
// line above, today's answer is UNKNOWN.
//
// Two buffers in a pool, and workers that take one, use it and put it back. The pool is a
// stack without locks.
//
//     threadproof check examples/any/treiber_stack.c --threads any
//
// shows the ABA problem: a worker sees that A is on top and B below, and is held up. Another
// one takes A, a third one takes B, and A is put back. Now A is on top again, so the
// compare-exchange of the first worker goes well, and B is on the stack though somebody uses
// it. Worker four takes it too. With three workers nothing can go wrong. With -DFIXED a tag
// says how often something was taken, so that A with a new tag is not the A that was seen.
// Tags do not come again; at the last one the pool is closed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define NONE 2
#define LAST_TAG 3

struct top {
    unsigned char buffer, tag;
};
_Atomic(struct top) top; /* at first buffer 0 is on top, and below it lies buffer 1 */
atomic_uchar below[2] = {1, NONE};
bool is_used[2]; /* not atomic: who took a buffer has it alone */

unsigned char take(void) {
    struct top seen = atomic_load(&top), next;
    do {
        if (seen.buffer == NONE || seen.tag == LAST_TAG)
            return NONE;
        next.buffer = below[seen.buffer];
#ifdef FIXED
        next.tag = seen.tag + 1;
#else
        next.tag = 0;
#endif
    } while (!atomic_compare_exchange_strong(&top, &seen, next));
    return seen.buffer;
}

void put(unsigned char buffer) {
    struct top seen = atomic_load(&top), next;
    do {
        below[buffer] = seen.buffer;
        next = (struct top){buffer, seen.tag};
    } while (!atomic_compare_exchange_strong(&top, &seen, next));
}

void *work(void *unused) {
    unsigned char mine = take();
    if (mine == NONE)
        return NULL;
    assert(!is_used[mine]);
    is_used[mine] = true;
    is_used[mine] = false;
    put(mine);
    return NULL;
}

int main(void) {
    pthread_t thread;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, NULL, work, NULL);
}
