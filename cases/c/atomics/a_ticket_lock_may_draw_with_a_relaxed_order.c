//@ verdict: holds presuming sequential-consistency
// Drawing a number orders nothing and need not: the number called does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next_ticket, now_serving;
int n_served;

void *customer(void *unused) {
    unsigned mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&now_serving, memory_order_acquire) != mine)
        ;
    n_served++;
    atomic_store_explicit(&now_serving, mine + 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, customer, NULL);
    pthread_create(&b, NULL, customer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(n_served == 2);
}
