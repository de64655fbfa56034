//@ verdict: holds
// The read happens before the release that the thread waits for, so the variable lives
// until then (C11 6.2.4p2).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) mailbox;
atomic_int is_read;

void *ask(void *unused) {
    int question = 5;
    atomic_store(&mailbox, &question);
    while (!atomic_load(&is_read))
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
    atomic_store(&is_read, 1);
    pthread_join(one, NULL);
    assert(value == 5);
    return 0;
}
