//@ verdict: holds presuming sequential-consistency
// atomic_fetch_add returns the value before (C11 7.17.7.5p4), which nobody else gets.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int next;
int slots[2];

void *draw(void *unused) {
    int mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    slots[mine]++;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, draw, NULL);
    pthread_create(&two, NULL, draw, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(slots[0] == 1 && slots[1] == 1);
    return 0;
}
