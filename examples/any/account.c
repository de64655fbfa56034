//@ verdict with --threads any: holds
//@ verdict with --threads any -DBROKEN: violated "balance >= 0"
//@ verdict with --threads any --property no-data-race: holds
// An account that is never overdrawn, however many threads withdraw from it: whoever asks
// whether there is enough holds the lock until the money is gone.
//
//     threadproof check examples/any/account.c --threads any
//
// proves it. With -DBROKEN the lock is given back between the question and the withdrawal, and
// two threads may both be told that there is enough.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance = 1;

void *withdraw(void *unused) {
    pthread_mutex_lock(&lock);
    int enough = balance > 0;
#ifdef BROKEN
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    if (enough) balance--;
    assert(balance >= 0);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (;;) pthread_create(&thread, 0, withdraw, 0);
}
