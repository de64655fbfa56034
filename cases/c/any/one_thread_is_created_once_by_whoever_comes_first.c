//@ args: --threads any
//@ verdict: holds
// Its variable is its own, since there is one of its kind.
// May be unknown: the creation is behind `pthread_once`, in any number of threads.
#include <pthread.h>

int written;
pthread_once_t once = PTHREAD_ONCE_INIT;

void *write(void *unused) {
    written++;
    return 0;
}

void begin(void) {
    pthread_t thread;
    pthread_create(&thread, 0, write, 0);
}

void *work(void *unused) {
    pthread_once(&once, begin);
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
