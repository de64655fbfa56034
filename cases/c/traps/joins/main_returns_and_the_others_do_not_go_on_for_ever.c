//@ verdict: holds
// A return from `main` ends the process (C11 5.1.2.2.3p1): a thread that waits for ever
// is no deadlock then.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *wait_for_ever(void *unused) {
    pthread_mutex_lock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_mutex_lock(&lock);
    pthread_create(&one, NULL, wait_for_ever, NULL);
    return 0;
}
