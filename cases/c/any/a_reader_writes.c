//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main.
#include <pthread.h>

int book;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *work(void *unused) {
    pthread_rwlock_rdlock(&lock);
    book = 1;
    pthread_rwlock_unlock(&lock);
    return 0;
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
