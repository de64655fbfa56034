//@ verdict: violated
// As with a local variable: the read does not happen before the end of the thread (C11
// 6.2.4p4).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Thread_local int copy;
_Atomic(int *) mailbox;
atomic_int is_read;

void *ask(void *unused) {
    copy = 5;
    atomic_store(&mailbox, &copy);
    while (!atomic_load_explicit(&is_read, memory_order_relaxed))
        ;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, ask, NULL);
    int *seen;
    while (!(seen = atomic_load(&mailbox)))
        ;
    int value = *seen;
    atomic_store_explicit(&is_read, 1, memory_order_relaxed);
    pthread_join(one, NULL);
    assert(value == 5);
    return 0;
}
