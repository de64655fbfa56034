//@ args: --threads any
//@ verdict: violated "!is_inside"
// Fails with 2 threads beside main.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_bool is_inside;

void *work(void *unused) {
    assert(!is_inside);
    is_inside = 1;
    exit(0);
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
