//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>

int setting, n_made;
pthread_once_t once = PTHREAD_ONCE_INIT;

void make(void) {
    n_made++;
    assert(n_made == 1);
    setting = 7;
}

void *work(void *unused) {
    pthread_once(&once, make);
    assert(setting == 7);
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
