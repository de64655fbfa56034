//@ args: --threads any
//@ verdict: violated "== 0"
// Fails with 2 threads beside main.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_bool is_inside;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *work(void *unused) {
    pthread_rwlock_rdlock(&lock);
    assert(atomic_exchange(&is_inside, 1) == 0);
    is_inside = 0;
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
