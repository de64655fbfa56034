//@ verdict: violated "data race"
// The answer is released, but read relaxed, so the last read of the variable races with
// the write of the other thread (C11 5.1.2.4p25).
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) mailbox;
atomic_int is_answered;

void *ask(void *unused) {
    int question = 5;
    atomic_store_explicit(&mailbox, &question, memory_order_release);
    while (!atomic_load_explicit(&is_answered, memory_order_relaxed))
        ;
    question++;
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, ask, NULL);
    int *seen;
    while (!(seen = atomic_load_explicit(&mailbox, memory_order_acquire)))
        ;
    *seen += 1;
    atomic_store_explicit(&is_answered, 1, memory_order_release);
    pthread_join(one, NULL);
    return 0;
}
