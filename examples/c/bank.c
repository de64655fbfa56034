//@ verdict: violated "data race on `balance`"
//@ verdict with --property unreach-call: violated "balance == 130"
//@ verdict with -DFIXED: holds
// A bank account that two people pay into, without a lock.
//
//     threadproof check examples/c/bank.c
//
// reports the data race: both threads read and write `balance` with nothing between
// them. What comes of it in the end is another question:
//
//     threadproof check examples/c/bank.c --property unreach-call
//
// shows a run in which a payment is lost. With -DFIXED a lock is taken, and the
// program is proven right.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int balance = 100;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void deposit(int amount) {
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    int new_balance = balance + amount;
    balance = new_balance;
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
}

void *alice(void *unused) {
    deposit(10);
    return NULL;
}

void *bob(void *unused) {
    deposit(20);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, alice, NULL);
    pthread_create(&b, NULL, bob, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance == 130);
}
