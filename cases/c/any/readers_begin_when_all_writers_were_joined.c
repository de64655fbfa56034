//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: it needs the join of all.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 64
#endif

int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *write(void *unused) {
    pthread_mutex_lock(&lock);
    shared = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *read(void *unused) {
    assert(shared == 1 || N == 0);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, write, 0);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, read, 0);
}
