//@ args: --threads any
//@ verdict: violated "data race"
// All of the section but one read is under the lock. Fails with 2 threads beside main.
#include <pthread.h>

int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    shared = 1;
    shared = 0;
    pthread_mutex_unlock(&lock);
    return shared ? &shared : 0;
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
