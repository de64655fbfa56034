//@ args: --property termination
//@ verdict: violated
// Nobody signals; a spurious wake-up may occur, but need not (POSIX, pthread_cond_wait).
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *wait_once(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, wait_once, NULL);
    pthread_join(one, NULL);
    return 0;
}
