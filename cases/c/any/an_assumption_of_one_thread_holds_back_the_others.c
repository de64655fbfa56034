//@ args: --threads any
//@ verdict: holds
// A run in which one thread comes to a false assumption is none: nobody sees the flag.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int flag;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    assert(flag == 0);
    flag = 1;
    __VERIFIER_assume(0);
    pthread_mutex_unlock(&lock);
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
