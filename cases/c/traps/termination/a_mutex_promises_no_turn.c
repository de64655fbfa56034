//@ args: --property termination
//@ verdict: violated
// POSIX does not say that a waiting thread ever gets a mutex that another one takes again
// and again (pthread_mutex_lock: the scheduling policy decides).
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int is_stopped;

void *work(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int stop = is_stopped;
        pthread_mutex_unlock(&lock);
        if (stop)
            return NULL;
    }
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    is_stopped = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    return 0;
}
