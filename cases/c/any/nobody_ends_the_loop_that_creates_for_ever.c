//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>

int never;

void *work(void *unused) {
    assert(never == 0);
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
#ifndef N
    never = 1;
#endif
}
