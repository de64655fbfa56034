//@ args: --threads any
//@ verdict: holds
#include <pthread.h>

int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    _Bool is_mine = 0;
    while (1) {
        if (is_mine) {
            shared = 1;
            pthread_mutex_unlock(&lock);
        } else {
            pthread_mutex_lock(&lock);
        }
        is_mine = !is_mine;
    }
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
