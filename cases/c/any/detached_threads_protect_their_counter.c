//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
#include <assert.h>
#include <pthread.h>

int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_detach(pthread_self());
    pthread_mutex_lock(&lock);
    shared++;
    shared--;
    assert(shared == 0);
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
