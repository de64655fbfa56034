//@ verdict: holds presuming sequential-consistency
#include <assert.h>
#include <pthread.h>

int counter, lock;

void *add(void *unused) {
    __sync_fetch_and_add(&counter, 1);
    while (!__sync_bool_compare_and_swap(&lock, 0, 1))
        ;
    __sync_lock_release(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2 && lock == 0);
}
