//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: violated `data race`
// Fails with 257 threads beside main, all but two of which may have ended.
// May be unknown: the number is large.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 10000
#endif

atomic_uchar next;
int places[256];

void *work(void *unused) {
    unsigned char mine = atomic_fetch_add(&next, 1);
    places[mine] = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, 0, work, 0);
}
