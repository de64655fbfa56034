//@ args: --threads any
//@ verdict: violated "depth < 3"
// Each thread creates the next one. Fails with 3 threads beside main.
#include <assert.h>
#include <pthread.h>

void *work(void *argument) {
    long depth = (long)argument;
    assert(depth < 3);
    pthread_t thread;
    pthread_create(&thread, 0, work, (void *)(depth + 1));
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, (void *)1L);
    pthread_exit(0);
}
