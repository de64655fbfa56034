//@ verdict: violated "deadlock"
// One thread takes the lower lock first, the other one always takes `one` first. Where `two`
// lies lower, both wait.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

void *work(void *unused) {
    take(&one, &two);
    return NULL;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, work, NULL);
    if ((uintptr_t)&one < (uintptr_t)&two)
        take(&one, &two);
    else
        take(&two, &one);
    pthread_join(other, NULL);
}
