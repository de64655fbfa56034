//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>

int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void give_back(void *unused) {
    shared = 0;
    pthread_mutex_unlock(&lock);
}

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(give_back, 0);
    assert(shared == 0);
    shared = 1;
    pthread_exit(0);
    pthread_cleanup_pop(0);
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
