//@ args: --property unreach-call
//@ verdict: violated "seen == 1"
//@ verdict with --reduction superstep: violated "seen == 1"
//@ verdict with --reduction superstep --order dfs: violated "seen == 1"
//@ verdict with --reduction global: violated "seen == 1"
//@ verdict with --reduction none: violated "seen == 1"
// The second thread waits for the lock when the first gives it back. Supersteps that
// forget about threads that wait lose the run in which it goes on at once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int written;

void *wait(void *unused) {
    pthread_mutex_lock(&lock);
    int seen = written;
    assert(seen == 1);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&lock);
    pthread_create(&a, NULL, wait, NULL);
    pthread_mutex_unlock(&lock);
    written = 1;
    pthread_join(a, NULL);
}
