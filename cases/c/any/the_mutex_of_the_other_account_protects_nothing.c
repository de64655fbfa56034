//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main.
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
} accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};
extern _Bool __VERIFIER_nondet_bool(void);

void *work(void *unused) {
    int mine = __VERIFIER_nondet_bool(), other = __VERIFIER_nondet_bool();
    pthread_mutex_lock(&accounts[mine].lock);
    accounts[other].balance = 1;
    pthread_mutex_unlock(&accounts[mine].lock);
    return 0;
}

int main(void) {
    pthread_t thread;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
