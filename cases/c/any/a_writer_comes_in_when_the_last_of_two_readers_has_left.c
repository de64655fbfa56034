//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// A thread reads twice and leaves twice.
// May be unknown: readers are counted without a bound.
#include <assert.h>
#include <pthread.h>

int book;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
extern _Bool __VERIFIER_nondet_bool(void);

void *work(void *unused) {
    if (__VERIFIER_nondet_bool()) {
        pthread_rwlock_rdlock(&lock);
        pthread_rwlock_rdlock(&lock);
        pthread_rwlock_unlock(&lock);
        int seen = book;
        assert(seen == book);
        pthread_rwlock_unlock(&lock);
    } else if (pthread_rwlock_trywrlock(&lock) == 0) {
        book = !book;
        pthread_rwlock_unlock(&lock);
    }
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
