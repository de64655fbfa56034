//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 10000
#endif

atomic_bool is_enough;

void *work(void *unused) {
    is_enough = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    int i = 0;
    while (!is_enough && i < N) {
        pthread_create(&thread, 0, work, 0);
        i++;
    }
    assert(is_enough || i == N);
}
