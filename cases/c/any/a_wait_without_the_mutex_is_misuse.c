//@ args: --threads any
//@ verdict: violated
// Fails with 1 thread beside main.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t bell = PTHREAD_COND_INITIALIZER;

void *work(void *unused) {
    pthread_cond_wait(&bell, &lock);
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
