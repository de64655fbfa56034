//@ verdict: holds
// The thread waits for ever, but the program does not: it ends.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *wait_for_ever(void *unused) {
    pthread_mutex_lock(&lock);
    assert(0);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&lock);
    pthread_create(&t, NULL, wait_for_ever, NULL);
    return 0;
}
