//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: how many were created is counted.
#include <pthread.h>

#ifndef N
#define N 64
#endif

int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
extern _Bool __VERIFIER_nondet_bool(void);

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    shared = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    int n_created = 0;
    for (int i = 0; i < N; i++)
        if (__VERIFIER_nondet_bool()) {
            if (pthread_create(&threads[n_created], 0, work, 0) != 0)
                break;
            n_created++;
        }
    for (int i = 0; i < n_created; i++)
        pthread_join(threads[i], 0);
    shared = 2;
}
