//@ args: --property termination
//@ verdict: violated
// The thread ends with the mutex locked; a mutex that is not robust stays so for ever
// (POSIX, pthread_mutex_lock).
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *hold(void *unused) {
    pthread_mutex_lock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, hold, NULL);
    while (pthread_mutex_trylock(&lock) != 0)
        sched_yield();
    pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    return 0;
}
