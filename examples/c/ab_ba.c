//@ verdict: violated "deadlock"
//@ verdict with -DFIXED: holds
// Two accounts, each with a lock of its own, and two transfers in opposite directions.
//
//     threadproof check examples/c/ab_ba.c
//
// shows the deadlock: each thread holds the lock that the other one waits for. Testing
// hardly ever finds it, because each thread must be between its two locks at the same
// time. With -DFIXED the locks are taken in the same order by all.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

struct account accounts[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 50},
    {PTHREAD_MUTEX_INITIALIZER, 50},
};

void transfer(struct account *from, struct account *to, int amount) {
    struct account *first = from, *second = to;
#ifdef FIXED
    if (to == &accounts[0]) {
        first = to;
        second = from;
    }
#endif
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

void *there(void *unused) {
    transfer(&accounts[0], &accounts[1], 10);
    return NULL;
}

void *back(void *unused) {
    transfer(&accounts[1], &accounts[0], 20);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, there, NULL);
    pthread_create(&b, NULL, back, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(accounts[0].balance + accounts[1].balance == 100);
}
