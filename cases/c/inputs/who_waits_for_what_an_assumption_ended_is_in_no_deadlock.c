//@ args: --property no-deadlock
//@ verdict: holds
//@ verdict with --reduction global: holds
// The thread that has the lock does not go on, since its assumption is false: no run is like
// that. So `main`, which waits for the lock, is in no deadlock.
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_assume(int condition);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int is_open;

void *stop(void *unused) {
    pthread_mutex_lock(&lock);
    __VERIFIER_assume(is_open);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, stop, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}
