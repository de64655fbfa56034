//@ verdict: violated "data race"
// The content is written after the unlock, so the lock of the reader does not help (C11
// 5.1.2.4p25).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
_Atomic(int *) block;

void *publish(void *unused) {
    int *fresh = malloc(sizeof *fresh);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    *fresh = 5;
    atomic_store_explicit(&block, fresh, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, publish, NULL);
    int *seen = atomic_load_explicit(&block, memory_order_relaxed);
    if (seen) {
        pthread_mutex_lock(&lock);
        assert(*seen == 5);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(one, NULL);
    free(block);
    return 0;
}
