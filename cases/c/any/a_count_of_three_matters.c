//@ args: --threads any
//@ verdict: violated "n_started != 3"
// Fails with 3 threads beside main.
#include <assert.h>
#include <pthread.h>

int n_started;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    if (n_started < 3)
        n_started++;
    assert(n_started != 3);
    pthread_mutex_unlock(&lock);
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
