//@ args: --property termination
//@ verdict: holds
// Each ticket is drawn once (C11 7.17.7.5) and served in order, so nobody spins for ever.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int next_ticket, now_serving;

void *work(void *unused) {
    int ticket = atomic_fetch_add(&next_ticket, 1);
    while (now_serving != ticket)
        ;
    atomic_fetch_add(&now_serving, 1);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
