//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main.
#include <pthread.h>

int setting;
pthread_once_t once = PTHREAD_ONCE_INIT;

void make(void) {
    setting = 7;
}

void *work(void *unused) {
    if (setting == 0)
        pthread_once(&once, make);
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
