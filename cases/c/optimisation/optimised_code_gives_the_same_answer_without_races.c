//@ verdict: holds
//@ verdict with -O1: holds
//@ verdict with -O2: holds
//@ verdict with -O3: holds
#include <assert.h>
#include <pthread.h>

struct account { pthread_mutex_t lock; int balance; } accounts[2];

static void transfer(int from, int to, int amount) {
    int first = from < to ? from : to, second = from < to ? to : from;
    pthread_mutex_lock(&accounts[first].lock);
    pthread_mutex_lock(&accounts[second].lock);
    accounts[from].balance -= amount;
    accounts[to].balance += amount;
    pthread_mutex_unlock(&accounts[second].lock);
    pthread_mutex_unlock(&accounts[first].lock);
}

void *there(void *unused) {
    transfer(0, 1, 3);
    return NULL;
}

void *back(void *unused) {
    transfer(1, 0, 5);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&accounts[i].lock, NULL);
        accounts[i].balance = 10;
    }
    pthread_create(&a, NULL, there, NULL);
    pthread_create(&b, NULL, back, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(accounts[0].balance == 12 && accounts[1].balance == 8);
}
