//@ args: --threads any --property unreach-call
//@ verdict: violated "shared == 0"
// Where races are not asked about, others see what is not yet over. Fails with 2 threads
// beside main.
#include <assert.h>
#include <pthread.h>

int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    shared = 1;
    shared = 0;
    pthread_mutex_unlock(&lock);
    assert(shared == 0);
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
