//@ verdict: violated "data race"
// The first reader is started after the write; the second one finds the pointer by a
// relaxed load and was started before the write (C11 5.1.2.4p25).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) block;

void *read_it(void *argument) {
    assert(*(int *)argument == 5);
    return NULL;
}

void *find_it(void *unused) {
    int *seen = atomic_load_explicit(&block, memory_order_relaxed);
    if (seen)
        assert(*seen == 5);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&two, NULL, find_it, NULL);
    int *fresh = malloc(sizeof *fresh);
    *fresh = 5;
    pthread_create(&one, NULL, read_it, fresh);
    atomic_store_explicit(&block, fresh, memory_order_relaxed);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(fresh);
    return 0;
}
