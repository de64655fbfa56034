//@ args: --threads any
//@ verdict: violated "n_items == 1"
// Nobody has to steal the item: a wait may end for no reason. Fails with 1 thread beside
// main.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N __VERIFIER_nondet_int()
#endif
extern int __VERIFIER_nondet_int(void);

int n_items;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t has_items = PTHREAD_COND_INITIALIZER;

void *take(void *unused) {
    pthread_mutex_lock(&lock);
    if (n_items == 0)
        pthread_cond_wait(&has_items, &lock);
    assert(n_items == 1);
    n_items = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0, n = N; i < n; i++)
        pthread_create(&thread, 0, take, 0);
    pthread_mutex_lock(&lock);
    n_items = 1;
    pthread_cond_signal(&has_items);
    pthread_mutex_unlock(&lock);
    pthread_exit(0);
}
