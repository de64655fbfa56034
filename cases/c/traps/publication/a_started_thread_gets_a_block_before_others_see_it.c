//@ verdict: holds presuming sequential-consistency
// The start of a thread synchronises (POSIX, XBD 4.12), and the block is read only; that
// the pointer is also stored relaxed changes nothing for the started thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) block;

void *read_it(void *argument) {
    assert(*(int *)argument == 5);
    return NULL;
}

int main(void) {
    pthread_t one;
    int *fresh = malloc(sizeof *fresh);
    *fresh = 5;
    pthread_create(&one, NULL, read_it, fresh);
    atomic_store_explicit(&block, fresh, memory_order_relaxed);
    pthread_join(one, NULL);
    free(fresh);
    return 0;
}
