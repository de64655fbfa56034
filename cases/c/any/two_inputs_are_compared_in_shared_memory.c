//@ args: --threads any
//@ verdict: violated "smaller <= larger"
// Whoever writes the smaller one compares, whoever writes the larger one does not. Fails
// with 3 threads beside main.
#include <assert.h>
#include <pthread.h>

int smaller, larger;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

void *work(void *unused) {
    unsigned char mine = __VERIFIER_nondet_uchar() % 3;
    pthread_mutex_lock(&lock);
    if (mine <= larger)
        smaller = mine;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (__VERIFIER_nondet_bool())
        larger = mine;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(smaller <= larger);
    pthread_mutex_unlock(&lock);
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
