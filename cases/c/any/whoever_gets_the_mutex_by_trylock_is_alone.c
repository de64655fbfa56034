//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
#include <pthread.h>

int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    if (pthread_mutex_trylock(&lock) == 0) {
        shared++;
        pthread_mutex_unlock(&lock);
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
