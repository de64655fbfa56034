//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
#include <assert.h>
#include <pthread.h>

int book;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
extern _Bool __VERIFIER_nondet_bool(void);

void *work(void *unused) {
    if (__VERIFIER_nondet_bool()) {
        pthread_rwlock_wrlock(&lock);
        book = !book;
    } else {
        pthread_rwlock_rdlock(&lock);
        int first = book;
        assert(first == book);
    }
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
