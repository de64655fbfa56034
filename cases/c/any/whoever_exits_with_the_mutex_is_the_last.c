//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int n_inside;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    assert(n_inside == 0);
    n_inside = 1;
    exit(0);
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
