//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: which of the two it is depends on the counter of the loop.
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

struct account {
    pthread_mutex_t lock;
    int balance;
} accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};

void *work(void *argument) {
    struct account *account = argument;
    pthread_mutex_lock(&account->lock);
    account->balance = 1 - account->balance;
    pthread_mutex_unlock(&account->lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, work, &accounts[i & 1]);
}
