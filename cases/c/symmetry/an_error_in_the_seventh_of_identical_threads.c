//@ args: --property unreach-call
//@ verdict: violated "mine < 7"
//@ verdict with -DDETACHED: violated "mine < 7"
//@ verdict with --reduction superstep: violated "mine < 7"
// The threads do the same, so it does not matter which of them fails; its run has names.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#define N 7

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *count;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    int mine = ++*count;
    pthread_mutex_unlock(&lock);
    assert(mine < 7);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    count = calloc(1, sizeof *count);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, NULL);
#ifdef DETACHED
    pthread_exit(NULL);
#endif
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
}
