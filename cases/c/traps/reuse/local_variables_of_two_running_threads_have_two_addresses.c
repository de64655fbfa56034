//@ verdict: holds
// Both objects live at the barrier, and distinct living objects have distinct addresses
// (C11 6.2.4p2, 6.5.9p6).
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

pthread_barrier_t barrier;
uintptr_t addresses[2];

void *work(void *argument) {
    int local = 0;
    *(uintptr_t *)argument = (uintptr_t)&local;
    pthread_barrier_wait(&barrier);
    assert(addresses[0] != addresses[1]);
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&one, NULL, work, &addresses[0]);
    pthread_create(&two, NULL, work, &addresses[1]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
