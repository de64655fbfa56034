//@ verdict: violated "data race"
// A thread-local object behind a pointer is memory like any other (C11 5.1.2.4p25).
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Thread_local int copy;
_Atomic(int *) mailbox;
atomic_int is_answered;

void *ask(void *unused) {
    atomic_store(&mailbox, &copy);
    copy = 5;
    while (!atomic_load(&is_answered))
        ;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, ask, NULL);
    int *seen;
    while (!(seen = atomic_load(&mailbox)))
        ;
    *seen = 6;
    atomic_store(&is_answered, 1);
    pthread_join(one, NULL);
    return 0;
}
