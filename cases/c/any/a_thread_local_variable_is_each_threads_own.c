//@ args: --threads any
//@ verdict: holds
#include <assert.h>
#include <pthread.h>

_Thread_local int mine = 1;

void *work(void *unused) {
    assert(mine == 1);
    mine++;
    assert(mine == 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    mine = 5;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
