//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: a handle lies in shared memory and is compared.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_t owner;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    owner = pthread_self();
    assert(pthread_equal(owner, pthread_self()));
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
