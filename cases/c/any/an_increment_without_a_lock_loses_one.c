//@ args: --threads any --property unreach-call
//@ verdict: violated "shared == 2"
// Two workers count to two, and main looks when they were joined. Fails with 2 threads
// beside main.
#include <assert.h>
#include <pthread.h>

int shared;

void *work(void *unused) {
    shared++;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(shared == 2);
}
