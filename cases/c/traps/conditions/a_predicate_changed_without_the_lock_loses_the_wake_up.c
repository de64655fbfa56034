//@ args: --property no-deadlock
//@ verdict: violated "deadlock"
// The signal may come between the test and the wait, which are atomic only with respect
// to the mutex (POSIX, pthread_cond_wait).
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
atomic_int is_ready;

void *tell(void *unused) {
    is_ready = 1;
    pthread_cond_signal(&changed);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, tell, NULL);
    pthread_mutex_lock(&lock);
    while (!is_ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    return 0;
}
