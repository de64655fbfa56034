//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int n_inside;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    n_inside++;
    assert(n_inside == 1);
    n_inside--;
    pthread_mutex_unlock(&lock);
#ifdef N
    static atomic_int n_created;
    if (atomic_fetch_add(&n_created, 1) >= N)
        return 0;
#endif
    pthread_create(&thread, 0, work, 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
