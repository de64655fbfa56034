//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>

int n_arrived; /* two at most are counted */
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_barrier_t barrier;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    if (n_arrived < 2)
        n_arrived++;
    pthread_mutex_unlock(&lock);
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&lock);
    assert(n_arrived == 2);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
