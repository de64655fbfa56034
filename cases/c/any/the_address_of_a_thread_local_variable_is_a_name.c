//@ args: --threads any
//@ verdict: holds
// May be unknown: the address lies in shared memory and is compared.
#include <assert.h>
#include <pthread.h>

_Thread_local char me;
char *owner;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    owner = &me;
    assert(owner == &me);
    owner = 0;
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
