//@ args: --property all
//@ verdict: holds presuming sequential-consistency
// Each swap takes one value out (C11 7.17.7.3), so the block has one owner, who reads and
// frees it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) mailbox;

void *take(void *unused) {
    int *mine = atomic_exchange_explicit(&mailbox, NULL, memory_order_acquire);
    if (mine) {
        assert(*mine == 5);
        free(mine);
    }
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, take, NULL);
    pthread_create(&two, NULL, take, NULL);
    int *fresh = malloc(sizeof *fresh);
    *fresh = 5;
    atomic_store_explicit(&mailbox, fresh, memory_order_release);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(atomic_load(&mailbox));
    return 0;
}
